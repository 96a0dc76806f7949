// |reftest| skip -- not a test file
// Copyright (C) 2016 the V8 project authors. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

export { b as a } from './instn-iee-iee-cycle.js';
export { d as c } from './instn-iee-iee-cycle.js';
export { f as e } from './instn-iee-iee-cycle.js';
export { h as g } from './instn-iee-iee-cycle.js';
export { j as i } from './instn-iee-iee-cycle.js';
export { l as k } from './instn-iee-iee-cycle.js';
export { n as m } from './instn-iee-iee-cycle.js';
export { p as o } from './instn-iee-iee-cycle.js';
export { r as q } from './instn-iee-iee-cycle.js';
export { t as s } from './instn-iee-iee-cycle.js';
export { v as u } from './instn-iee-iee-cycle.js';
export { x as w } from './instn-iee-iee-cycle.js';
export { z as y } from './instn-iee-iee-cycle.js';

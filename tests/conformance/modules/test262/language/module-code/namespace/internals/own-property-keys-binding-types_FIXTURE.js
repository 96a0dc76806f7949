// |reftest| skip -- not a test file
// Copyright (C) 2016 the V8 project authors. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

export var g_star;
export { g_star as h_starRenamed };
export { a_local1 as i_starIndirect } from './own-property-keys-binding-types.js';

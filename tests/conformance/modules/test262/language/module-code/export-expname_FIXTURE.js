// |reftest| skip -- not a test file
// Copyright (C) 2020 Bradley Farias. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

export { Mercury, Mercury as "☿" };
function Mercury() {}
globalThis.Mercury = Mercury;

// |reftest| skip -- not a test file
// Copyright (C) 2021 Alexey Shvayka. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

var a = 0;
var b = 1;
export { a as "0", b as "1" };

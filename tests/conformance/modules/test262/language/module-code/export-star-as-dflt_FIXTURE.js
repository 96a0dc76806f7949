// |reftest| skip -- not a test file
// Copyright (C) 2019 Adrian Heine. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

export const x = 1;

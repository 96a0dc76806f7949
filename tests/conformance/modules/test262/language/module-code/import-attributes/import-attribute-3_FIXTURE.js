// |reftest| skip -- not a test file
// Copyright (C) 2021 the V8 project authors. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.
export default 262.3;

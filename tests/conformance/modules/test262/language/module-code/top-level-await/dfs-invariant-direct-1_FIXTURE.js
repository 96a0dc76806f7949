// |reftest| skip -- not a test file
// Copyright (C) 2021 the V8 project authors. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.
import './dfs-invariant-async_FIXTURE.js';
globalThis.test262 += ':direct-1';

// |reftest| skip -- not a test file
// Copyright (C) 2023 Igalia, S.L. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

globalThis.check = false;
await 0;
globalThis.check = true;

// |reftest| module
// Copyright (C) 2020 Rick Waldron. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.
/*---
description: >
  ExportDeclaration : HoistableDeclaration : GeneratorDeclaration
  esid: prod-HoistableDeclaration
info: |
  ExportDeclaration :
    HoistableDeclaration[Yield, Await, Default]:

  HoistableDeclaration[Yield, Await, Default]:
    GeneratorDeclaration[?Yield, ?Await, ?Default]

flags: [module]
---*/

export default function * G() {}
G.foo = '';

reportCompare(0, 0);

// |reftest| error:SyntaxError module
// Copyright (C) 2018 André Bargull. All rights reserved.
// This code is governed by the BSD license found in the LICENSE file.

/*---
esid: sec-left-hand-side-expressions
description: >
  "import" in import.meta must not contain escape sequences.
info: |
  5.1.5 Grammar Notation

  Terminal symbols are shown in fixed width
  font, both in the productions of the grammars and throughout this specification whenever the
  text directly refers to such a terminal symbol. These are to appear in a script exactly as
  written. All terminal symbol code points specified in this way are to be understood as the
  appropriate Unicode code points from the Basic Latin range, as opposed to any similar-looking
  code points from other Unicode ranges.

  12.3 Left-Hand-Side Expressions
    MetaProperty:
      NewTarget
      ImportMeta

    ImportMeta:
      import.meta
flags: [module]
negative:
  phase: parse
  type: SyntaxError
features: [import.meta]
---*/

$DONOTEVALUATE();

im\u0070ort.meta;

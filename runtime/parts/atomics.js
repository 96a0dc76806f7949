// Atomics without what would block the only thread there is.
'use strict';

delete Atomics.wait;
delete Atomics.waitAsync;

/* Text for programs that replace what they can reach before they use the surface. */
#ifndef CM_TESTS_INTEGRATION_HOSTILE_H
#define CM_TESTS_INTEGRATION_HOSTILE_H

/* After this no function of the language's own objects works, and whoever looks one of
 * these keys up in an object that inherits from Object.prototype, or sets it there,
 * fails. */
#define REPLACE_EVERYTHING                                                                        \
    "const bad = () => { throw new Error('a replaced function was called') };"                    \
    "const define = Object.defineProperty, own = Reflect.ownKeys;"                                \
    "const all = [Array, String, Number, Map, Set, WeakMap, RegExp, ArrayBuffer, DataView,"       \
    " Uint8Array, Object.getPrototypeOf(Uint8Array), Promise, Function, Symbol, Object, Reflect," \
    " JSON, Math];"                                                                               \
    "const keys = ['0', '1', '2', 'name', 'hash', 'key_ops', 'get', 'value', 'writable', 'iv',"   \
    " 'enumerable', 'configurable', 'transform', 'toJSON', 'publicKey', 'privateKey', 'stream'];" \
    "const replace = (holder) => {"                                                               \
    " if (holder === undefined || holder === null || holder === Object.prototype) return;"        \
    " const names = own(holder);"                                                                 \
    " for (let i = 0; i < names.length; i++)"                                                     \
    "  if (names[i] !== 'constructor' && names[i] !== 'prototype' && names[i] !== 'length')"      \
    "   try { define(holder, names[i], { __proto__: null, value: bad }) } catch {}"               \
    "};"                                                                                          \
    "for (let i = 0; i < all.length; i++) { replace(all[i].prototype); replace(all[i]) }"         \
    "for (let i = 0; i < keys.length; i++) define(Object.prototype, keys[i],"                     \
    " { __proto__: null, set: bad, get: bad, configurable: true });"

#endif

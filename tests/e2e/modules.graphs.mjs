// Programs with their module maps, for modules.test.mjs.
export const graphs = [
  {
    name: "a named import",
    code: "import { double } from 'lib.js'\nasync () => double(21)",
    modules: {
      "lib.js": "export const double = (n) => n * 2"
    }
  },
  {
    name: "live bindings and cycles",
    code: "import { count, inc } from 'a.js'\nasync () => { inc(); inc(); return count }",
    modules: {
      "a.js": "import { one } from './b.js'\nexport let count = 0\nexport function inc() { count += one }",
      "b.js": "import { inc } from './a.js'\nexport const one = 1\nexport const same = () => inc"
    }
  },
  {
    name: "default exports have the name default",
    code: "import * as m from 'a.js'; import f from 'b.js'; import c from 'c.js'; import d from 'd.js'\n() => [m.default.name, f.name, c.name, d.name]",
    modules: {
      "a.js": "export default () => 1",
      "b.js": "export default function () { return 1 }",
      "c.js": "export default class {}",
      "d.js": "export default (class { static name() {} })"
    }
  },
  {
    name: "functions are hoisted in a cycle",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "import {b} from 'b.js'\nexport function f() { return 'hoisted' }\nexport const r = b",
      "b.js": "import {f} from 'a.js'\nexport const b = f()"
    }
  },
  {
    name: "a binding is in its dead zone until its declaration",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "import {b} from 'b.js'\nexport const x = 1\nexport const r = b",
      "b.js": "import {x} from 'a.js'\nlet b_; try { b_ = x } catch (e) { b_ = e.constructor.name }\nexport const b = b_"
    }
  },
  {
    name: "an anonymous default function is hoisted",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "import {b} from 'b.js'\nexport default function () { return 'h' }\nexport const r = b",
      "b.js": "import f from 'a.js'\nexport const b = f() + f.name"
    }
  },
  {
    name: "re-exports of every form",
    code: "import * as a from 'a.js'\n() => [Object.keys(a), a.ns.x, a.y, a['a string'], a.default, a.star2]",
    modules: {
      "a.js": "export * from 'b.js'\nexport * as ns from 'b.js'\nexport { x as y, default } from 'b.js'\nexport { x as 'a string' } from 'b.js'; import {star2} from 'b.js'; export {star2}",
      "b.js": "export let x = 5; export default 7; export const star2 = 9"
    }
  },
  {
    name: "what a namespace object is",
    code: "import * as ns from 'a.js'\n() => { const d = Object.getOwnPropertyDescriptor(ns,'b'); let sets; try { ns.b = 1 } catch (e) { sets = e.constructor.name } let ext; try { ns.zz = 1 } catch (e) { ext = e.constructor.name } let del; try { delete ns.b } catch (e) { del = e.constructor.name } return [Object.keys(ns), d, ns[Symbol.toStringTag], Object.getPrototypeOf(ns), Object.isExtensible(ns), sets, ext, del, Reflect.ownKeys(ns).length, JSON.stringify(ns), delete ns.nothing, 'b' in ns, Reflect.set(ns,'b',2), Reflect.defineProperty(ns,'b',{value:2}), Reflect.defineProperty(ns,'b',{value:1}), Object.prototype.toString.call(ns), Reflect.setPrototypeOf(ns,null), Reflect.setPrototypeOf(ns,{}), Object.isFrozen(ns)] }",
    modules: {
      "a.js": "export const c = 3, a = 2, b = 1; export default 4"
    }
  },
  {
    name: "names that are shadowed are not imports",
    code: "import {x} from 'a.js'\n() => { const r = [x]; { const x = 2; r.push(x) } r.push(((x) => x)(3)); r.push((function x() { return typeof x })()); function f(a = x) { var x = 9; return a + x } r.push(f()); for (const x of [5]) r.push(x); try { throw 6 } catch (x) { r.push(x) } class A { x = x; #x = x; get y() { return this.#x } static [x] = x } r.push(new A().x, new A().y, A[x]); const {x: z = x} = {}; r.push(z); ({x}); r.push(({x}).x); const o = { x() { return x } }; r.push(o.x()); label: for (;;) { break label } x: for (;;) { break x } r.push(`${x}`); switch (1) { case 1: let x = 11; r.push(x) } const g = ({x = 7} = {}) => x; r.push(g()); const [q = x] = []; r.push(q); return r }",
    modules: {
      "a.js": "export const x = 1"
    }
  },
  {
    name: "calls of imports have no this",
    code: "import {f, t} from 'a.js'\n() => [f(), (f)(), t`a`, f?.(), [0].map(() => f())[0]]",
    modules: {
      "a.js": "export function f() { return this === undefined } export function t() { return this === undefined }"
    }
  },
  {
    name: "no statement joins the next where an import stood",
    code: "import {r} from 'b.js'\n() => r",
    modules: {
      "b.js": "import {f} from 'a.js'\nimport {g} from 'a.js'\nlet a = 1\nf()\nlet b = a\nimport 'a.js'\n;[1]\nconst c = b\nf\n`x`\nif (c) f(); else f()\nif (c)\n f()\nelse\n f()\ndo f(); while (0)\nexport const r = [a,b,c]\nexport default r\n(f)()",
      "a.js": "export function f() { return (x) => 1 } export const g = 1"
    }
  },
  {
    name: "imports cannot be assigned to",
    code: "import {x} from 'a.js'\n() => { const r = []; for (const f of [() => { x = 1 }, () => { x++ }, () => { [x] = [1] }, () => { ({x} = {x: 1}) }, () => { ({x = 4} = {}) }, () => { for (x of [1]); }]) try { f(); r.push('no') } catch (e) { r.push(e.constructor.name) } return r }",
    modules: {
      "a.js": "export let x = 1"
    }
  },
  {
    name: "import.meta",
    code: "import {u} from 'a/b.js'\n() => [u, typeof import.meta, import.meta.url]",
    modules: {
      "a/b.js": "export const u = import.meta.url"
    }
  },
  {
    name: "relative specifiers",
    code: "import {u} from './a/b.js'\n() => u",
    modules: {
      "a/b.js": "import {c} from '../c.js'; import {d} from './d/e.js'; export const u = [c,d]",
      "c.js": "export const c = 1",
      "a/d/e.js": "export {c as d} from '../../c.js'"
    }
  },
  {
    name: "import() and its errors",
    code: "async () => { const a = await import('a.js'); const b = await import('./a.js'); let e; try { await import('nope') } catch (x) { e = 'err' } let s; try { await import(Symbol()) } catch (x) { s = x.constructor.name } return [a.default, a === b, e, s] }",
    modules: {
      "a.js": "export default 7"
    }
  },
  {
    name: "top-level await",
    code: "import v from 'a.js'\n() => v",
    modules: {
      "a.js": "export default await Promise.resolve(5)"
    }
  },
  {
    name: "order of modules with and without top-level await",
    code: "import {log} from 'log.js'\nimport 'a.js'\nimport 'b.js'\nimport 's.js'\n() => log",
    modules: {
      "log.js": "export const log = []",
      "a.js": "import {log} from 'log.js'\nlog.push('a1')\nawait 0\nlog.push('a2')\nawait 0\nlog.push('a3')",
      "b.js": "import {log} from 'log.js'\nimport './a.js'\nlog.push('b')",
      "s.js": "import {log} from 'log.js'\nlog.push('s')"
    }
  },
  {
    name: "a cycle with top-level await",
    code: "import {log} from 'log.js'\nimport 'a.js'\n() => log",
    modules: {
      "log.js": "export const log = []",
      "a.js": "import {log} from 'log.js'\nimport 'b.js'\nlog.push('a')\nawait 0\nlog.push('a2')",
      "b.js": "import {log} from 'log.js'\nimport 'a.js'\nlog.push('b')\nawait 0\nlog.push('b2')"
    }
  },
  {
    name: "there is no arguments and no this outside of functions",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "let r_; try { r_ = arguments.length } catch (e) { r_ = e.constructor.name }\nexport const r = [r_, typeof arguments, (() => typeof arguments)(), (function () { return arguments.length })(1,2), typeof this, (() => typeof this)()]"
    }
  },
  {
    name: "eval has a scope of its own",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "import {x} from 'b.js'\nlet y = 2\nexport const r = [eval('y'), typeof eval('var q = 1; q'), typeof q]",
      "b.js": "export const x = 1"
    }
  },
  {
    name: "regular expressions beside divisions, templates and comments",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "import {x, g} from 'b.js'\nconst i = 2\nexport const r = [x / 2 / i, /x[/]y/.test('x/y'), x\n/ 2 / g, `a${/}/.source}b${x}`]\n/* import x from 'nope' */ // export default 3\n",
      "b.js": "export const x = 8, g = 2"
    }
  },
  {
    name: "a hashbang",
    code: "import {r} from 'a.js'\n() => r",
    modules: {
      "a.js": "#!/usr/bin/env node\nexport const r = 1"
    }
  },
  {
    name: "escapes in identifiers",
    code: "import {\\u0061bc as d\\u{65}f} from 'a.js'\n() => [def, d\\u0065f, ((def) => def)(2)]",
    modules: {
      "a.js": "export const \\u{61}bc = 4; export { \\u0061bc as \\u{1d4d0} }"
    }
  },
  {
    name: "private names of classes",
    code: "import {A} from 'a.js'\n() => [new A().get(), A.is(new A()), A.is({})]",
    modules: {
      "a.js": "import {x} from 'b.js'\nexport class A { #x = x; #m() { return this.#x } get() { return this.#m() } static is(o) { return #x in o } static { this.s = x } }",
      "b.js": "export const x = 8"
    }
  },
  {
    name: "declarations of every kind are exported",
    code: "import {a,b,c,d,e,F,g,h} from 'a.js'\n() => [a,b,c,d,e,F.name,g.name,typeof h]",
    modules: {
      "a.js": "export const {a, x: b, ...c} = {a:1,x:2,y:3}, [d, [e = 5]] = [4, []]\nexport class F {}\nexport async function* g() {}\nexport var h"
    }
  },
  {
    name: "an export that is missing",
    code: "import {nope} from 'a.js'\n() => 1",
    modules: {
      "a.js": "export const a = 1"
    }
  },
  {
    name: "an export that is ambiguous",
    code: "import {x} from 'a.js'\n() => 1",
    modules: {
      "a.js": "export * from 'b.js'; export * from 'c.js'",
      "b.js": "export const x = 1",
      "c.js": "export const x = 2"
    }
  },
  {
    name: "a namespace leaves out what is ambiguous",
    code: "import * as ns from 'a.js'\n() => Object.keys(ns)",
    modules: {
      "a.js": "export * from 'b.js'; export * from 'c.js'; export const z = 1",
      "b.js": "export const x = 1, y = 1",
      "c.js": "export const x = 2"
    }
  },
  {
    name: "one binding through two stars",
    code: "import {x} from 'a.js'\n() => x",
    modules: {
      "a.js": "export * from 'b.js'; export * from 'c.js'",
      "b.js": "export {x} from 'd.js'",
      "c.js": "export {x} from 'd.js'",
      "d.js": "export const x = 3"
    }
  },
  {
    name: "a module imports itself",
    code: "import * as ns from 'a.js'\n() => ns.f()",
    modules: {
      "a.js": "import * as me from 'a.js'; import {v as w} from './a.js'; export const v = 3; export const f = () => [me.v, w]"
    }
  },
  {
    name: "a program with imports of every form",
    code: "import x, * as y from 'a.js'; import {} from 'a.js'; import 'a.js'\n/* c */ async () => [x, y.default, import.meta.url.length, (await import('a.js')).default]",
    modules: {
      "a.js": "export default 1"
    }
  },
  {
    name: "export lists",
    code: "import * as n from 'a.js'\n() => [Object.keys(n).join(), n.default, n.i]",
    modules: {
      "a.js": "let i = 1; export { i, i as j }; export default i = 5\nexport {}"
    }
  },
  {
    name: "a default export without a semicolon",
    code: "import d, {x} from 'a.js'\n() => [d, x]",
    modules: {
      "a.js": "export default 1 + 2 // c\nexport const x = 1"
    }
  },
  {
    name: "a default export in parentheses",
    code: "import d from 'a.js'\n() => d",
    modules: {
      "a.js": "export default /*c*/ (1, 2)\n/* x */"
    }
  },
  {
    name: "an object as default export",
    code: "import d from 'a.js'\n() => d",
    modules: {
      "a.js": "export default { a: 1 }"
    }
  },
  {
    name: "a class as default export extends an import",
    code: "import D from 'a.js'\n() => [new D().v, D.name]",
    modules: {
      "a.js": "import B from 'b.js'; export default class extends B {}",
      "b.js": "export default class Base { v = 3 }"
    }
  },
  {
    name: "imports as constructors",
    code: "import * as ns from 'a.js'; import {A, mk} from 'a.js'\n() => [new A().v, new A(2).v, new A, new (mk())().v, new ns.A().v, A?.name, delete {}.A]",
    modules: {
      "a.js": "export class A { constructor(v = 1) { this.v = v } } export const mk = () => A"
    }
  },
  {
    name: "updates are seen from outside",
    code: "import {n, inc} from 'a.js'\nasync () => { const s = [n]; inc(); s.push(n); const ns = await import('a.js'); inc(); s.push(ns.n); return s }",
    modules: {
      "a.js": "export let n = 0; export const inc = () => n++"
    }
  },
  {
    name: "methods of imports have their this",
    code: "import {o} from 'a.js'\n() => o.m()",
    modules: {
      "a.js": "export const o = { v: 3, m() { return this.v } }"
    }
  },
  {
    name: "optional chains on imports",
    code: "import {o} from 'a.js'\n() => [o?.m?.(), o?.['v'], o.m.call({v:4})]",
    modules: {
      "a.js": "export const o = { v: 3, m() { return this.v } }"
    }
  },
  {
    name: "generators use imports",
    code: "import {g} from 'a.js'\nasync () => { const r = []; for await (const x of g()) r.push(x); return r }",
    modules: {
      "a.js": "import {x} from 'b.js'\nexport async function* g() { yield x; yield* [x, await x] }",
      "b.js": "export const x = 1"
    }
  }
]

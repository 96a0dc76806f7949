// URLSearchParams: the URL Standard, 5. Forms are parsed and written in
// src/worker/url.c.
import { charCodeAt, makeIterable, newList, slice, sort, splice, toArray } from './lib/text.js';
import { record, sequence, sequenceFrom, USVString } from './lib/webidl.js';

const { native, exposeClass, requireArguments, isObject, use } = internals;
const { parseForm, writeForm } = native.url;
const { iterator } = Symbol;
const TypeErrorOf = TypeError;

const QUESTION_MARK = 63;

const pairOf = (item, what) => {
  const pair = sequence(USVString)(item, what);
  if (pair.length !== 2) throw new TypeErrorOf(`${what} has ${pair.length} items; a pair has two`);
  return pair;
};
const recordOfStrings = record(USVString, USVString);
const WHAT = 'URLSearchParams: the first argument';

const pairsOf = (init) => {
  const method = init[iterator];
  return method === undefined || method === null ? recordOfStrings(init, WHAT) : sequenceFrom(init, method, pairOf, WHAT);
};

// Names and values in turn.
const listOfInit = (init) => {
  if (!isObject(init)) {
    const text = USVString(init, WHAT);
    return parseForm(charCodeAt(text, 0) === QUESTION_MARK ? slice(text, 1) : text, newList());
  }
  const pairs = pairsOf(init);
  const list = newList();
  for (let i = 0; i < pairs.length; i++) {
    list[list.length] = pairs[i][0];
    list[list.length] = pairs[i][1];
  }
  return list;
};

export let newParams; // those of a URL, which hears of their changes
export let refill; // replaces what is in `params`
export let formOf; // the text of a URLSearchParams; undefined for anything else

export class URLSearchParams {
  #list;
  #url = null;

  constructor(init = '') {
    this.#list = listOfInit(init);
  }
  get size() {
    return this.#list.length / 2;
  }
  append(name, value) {
    const list = this.#list;
    requireArguments(arguments.length, 2, 'URLSearchParams.append');
    name = USVString(name, 'URLSearchParams.append: the name');
    value = USVString(value, 'URLSearchParams.append: the value');
    list[list.length] = name;
    list[list.length] = value;
    this.#changed();
  }
  delete(name, value = undefined) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.delete');
    name = USVString(name, 'URLSearchParams.delete: the name');
    if (value !== undefined) value = USVString(value, 'URLSearchParams.delete: the value');
    for (let i = list.length - 2; i >= 0; i -= 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) splice(list, i, 2);
    }
    this.#changed();
  }
  get(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.get');
    name = USVString(name, 'URLSearchParams.get: the name');
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) return list[i + 1];
    return null;
  }
  getAll(name) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.getAll');
    name = USVString(name, 'URLSearchParams.getAll: the name');
    const values = newList();
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) values[values.length] = list[i + 1];
    return toArray(values);
  }
  has(name, value = undefined) {
    const list = this.#list;
    requireArguments(arguments.length, 1, 'URLSearchParams.has');
    name = USVString(name, 'URLSearchParams.has: the name');
    if (value !== undefined) value = USVString(value, 'URLSearchParams.has: the value');
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) return true;
    }
    return false;
  }
  set(name, value) {
    const list = this.#list;
    requireArguments(arguments.length, 2, 'URLSearchParams.set');
    name = USVString(name, 'URLSearchParams.set: the name');
    value = USVString(value, 'URLSearchParams.set: the value');
    let first = 0;
    while (first < list.length && list[first] !== name) first += 2;
    for (let i = list.length - 2; i > first; i -= 2) if (list[i] === name) splice(list, i, 2);
    list[first] = name;
    list[first + 1] = value;
    this.#changed();
  }
  sort() {
    const list = this.#list;
    const pairs = newList();
    for (let i = 0; i < list.length; i += 2) pairs[i / 2] = { __proto__: null, name: list[i], value: list[i + 1] };
    sort(pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (let i = 0; i < pairs.length; i++) {
      list[2 * i] = pairs[i].name;
      list[2 * i + 1] = pairs[i].value;
    }
    this.#changed();
  }
  toString() {
    return writeForm(this.#list, this.#list.length);
  }
  #changed() {
    if (this.#url !== null) use('url').setQuery(this.#url, writeForm(this.#list, this.#list.length));
  }
  static {
    newParams = (url) => {
      const params = new URLSearchParams();
      params.#url = url;
      return params;
    };
    refill = (params, query) => {
      params.#list = parseForm(query, newList());
    };
    formOf = (value) => (#list in value ? writeForm(value.#list, value.#list.length) : undefined);
    makeIterable(URLSearchParams, 'URLSearchParams', (params, index) => {
      const list = params.#list;
      if (2 * index >= list.length) return undefined;
      return { __proto__: null, key: list[2 * index], value: list[2 * index + 1] };
    });
  }
}
exposeClass(URLSearchParams, 'URLSearchParams');

// The text of a URLPattern as patterns of its components: the URL Pattern Standard,
// 1.6.
import { tokenize } from './pattern.js';
import { slice } from '../lib/text.js';

// States in the order of the components in a URL. "authority" is what may turn out
// to be a user name or a host name.
const order = { __proto__: null, protocol: 0, authority: 1, username: 2, password: 3, hostname: 4, port: 5, pathname: 6, search: 7, hash: 8 };

class Parser {
  input;
  tokens;
  isSpecialProtocol;
  result = { __proto__: null };
  start = 0; // token that the component starts at
  at = 0;
  step = 1;
  depth = 0; // of braces
  brackets = 0; // of an IPv6 address
  special = false;
  state = 'init';

  constructor(input, isSpecialProtocol) {
    this.input = input;
    this.tokens = tokenize(input, true);
    this.isSpecialProtocol = isSpecialProtocol;
  }

  tokenAt(index) {
    return this.tokens[index < this.tokens.length ? index : this.tokens.length - 1];
  }

  isChar(index, value) {
    const { type, value: found } = this.tokenAt(index);
    return found === value && (type === 'char' || type === 'escaped' || type === 'invalid');
  }

  isHere(value) {
    return this.isChar(this.at, value);
  }

  // A "?" is a modifier behind what can have one.
  isSearchStart() {
    if (this.isHere('?')) return true;
    if (this.tokens[this.at].value !== '?') return false;
    if (this.at === 0) return true;
    const { type } = this.tokens[this.at - 1];
    return type !== 'name' && type !== 'regexp' && type !== 'close' && type !== 'asterisk';
  }

  component() {
    return slice(this.input, this.tokenAt(this.start).index, this.tokens[this.at].index);
  }

  rewind(state) {
    this.at = this.start;
    this.step = 0;
    this.state = state;
  }

  // What a text that names a later component says about those it leaves out.
  fillIn(next) {
    const { result, state } = this;
    const from = order[state];
    const to = order[next];
    if (from < order.hostname && to > order.hostname) result.hostname ??= '';
    if (from < order.pathname && to > order.pathname) result.pathname ??= this.special ? '/' : '';
    if (from < order.search && to > order.search) result.search ??= '';
  }

  change(next, skip) {
    const { state } = this;
    if (state !== 'init' && state !== 'authority') this.result[state] = this.component();
    if (state !== 'init' && next !== 'done') this.fillIn(next);
    this.state = next;
    this.at += skip;
    this.start = this.at;
    this.step = 0;
  }

  // To one of the components that may follow here; false when none starts.
  changeToLater(pathname) {
    if (pathname && this.isHere('/')) this.change('pathname', 0);
    else if (this.isSearchStart()) this.change('search', 1);
    else if (this.isHere('#')) this.change('hash', 1);
    else return false;
    return true;
  }

  atEnd() {
    if (this.state === 'init') {
      this.rewind('init');
      if (this.isHere('#')) this.change('hash', 1);
      else if (this.isSearchStart()) this.change('search', 1);
      else this.change('pathname', 0);
    } else if (this.state === 'authority') {
      this.rewind('hostname');
    } else {
      this.change('done', 0);
    }
  }

  protocol() {
    if (!this.isHere(':')) return;
    this.special = this.isSpecialProtocol(this.component());
    if (this.isChar(this.at + 1, '/') && this.isChar(this.at + 2, '/')) this.change('authority', 3);
    else this.change(this.special ? 'authority' : 'pathname', 1);
  }

  hostname() {
    if (this.isHere('[')) this.brackets++;
    else if (this.isHere(']')) this.brackets--;
    else if (this.isHere(':') && this.brackets === 0) this.change('port', 1);
    else this.changeToLater(true);
  }

  read() {
    switch (this.state) {
      case 'init':
        if (this.isHere(':')) this.rewind('protocol');
        break;
      case 'protocol':
        this.protocol();
        break;
      case 'authority':
        if (this.isHere('@')) this.rewind('username');
        else if (this.isHere('/') || this.isSearchStart() || this.isHere('#')) this.rewind('hostname');
        break;
      case 'username':
        if (this.isHere(':')) this.change('password', 1);
        else if (this.isHere('@')) this.change('hostname', 1);
        break;
      case 'password':
        if (this.isHere('@')) this.change('hostname', 1);
        break;
      case 'hostname':
        this.hostname();
        break;
      case 'port':
        this.changeToLater(true);
        break;
      case 'pathname':
        this.changeToLater(false);
        break;
      case 'search':
        if (this.isHere('#')) this.change('hash', 1);
        break;
    }
  }

  run() {
    while (this.state !== 'done') {
      const { type } = this.tokens[this.at];
      this.step = 1;
      if (type === 'end') this.atEnd();
      else if (type === 'open') this.depth++;
      else if (this.depth === 0) this.read();
      else if (type === 'close' && --this.depth === 0) this.read();
      this.at += this.step;
    }
    if (this.result.hostname !== undefined) this.result.port ??= '';
    return this.result;
  }
}

// Patterns by component, without those that the text does not name.
// `isSpecialProtocol(pattern)` tells whether one matches http, https, ...
export const parsePatternString = (input, isSpecialProtocol) => new Parser(input, isSpecialProtocol).run();

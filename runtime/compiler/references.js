// Finds in a parsed text what has to be rewritten, with scopes respected.

// The children of each kind of node, in the order of the text, where nothing else
// has to be known of it.
const CHILDREN = {
  ArrayExpression: ['elements'],
  ArrayPattern: ['elements'],
  AssignmentExpression: ['left', 'right'],
  AssignmentPattern: ['left', 'right'],
  AwaitExpression: ['argument'],
  BinaryExpression: ['left', 'right'],
  ChainExpression: ['expression'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  DoWhileStatement: ['body', 'test'],
  ExportDefaultDeclaration: ['declaration'],
  ExportNamedDeclaration: ['declaration'],
  ExpressionStatement: ['expression'],
  IfStatement: ['test', 'consequent', 'alternate'],
  LabeledStatement: ['body'],
  LogicalExpression: ['left', 'right'],
  NewExpression: ['callee', 'arguments'],
  ObjectExpression: ['properties'],
  ObjectPattern: ['properties'],
  ParenthesizedExpression: ['expression'],
  RestElement: ['argument'],
  ReturnStatement: ['argument'],
  SequenceExpression: ['expressions'],
  SpreadElement: ['argument'],
  TemplateLiteral: ['expressions'],
  ThrowStatement: ['argument'],
  TryStatement: ['block', 'handler', 'finalizer'],
  UnaryExpression: ['argument'],
  UpdateExpression: ['argument'],
  WhileStatement: ['test', 'body'],
  WithStatement: ['object', 'body'],
  YieldExpression: ['argument'],
};

class Scope {
  constructor(parent, holdsVars) {
    this.parent = parent;
    this.vars = holdsVars ? this : parent.vars;
    this.names = undefined; // only those that somebody looks for
  }
}

class Finder {
  references = []; // { node, scope, as }: names that are imported, unless shadowed
  imports = []; // import(...)
  metas = []; // import.meta
  argumentsOf = []; // `arguments` outside of all functions that have them
  awaits = []; // { node, starts }: outside of all functions; whether it starts a statement
  loops = false; // `for await` or `await using` there
  evals = false; // calls eval() itself
  #wanted;
  #scope = new Scope(undefined, true);
  #functions = 0;
  #plainFunctions = 0;
  #text;
  #listStart = -1; // where the statement of a list starts that is being visited

  constructor(text, wanted) {
    this.#text = text;
    this.#wanted = wanted;
  }

  // ---- scopes ----

  #declare(scope, name) {
    if (this.#wanted.has(name)) (scope.names ??= new Set()).add(name);
  }

  #inScope(holdsVars, visit) {
    const outer = this.#scope;
    this.#scope = new Scope(outer, holdsVars);
    visit();
    this.#scope = outer;
  }

  // Declares the names of a binding pattern, and visits the expressions in it.
  #bind(pattern, scope) {
    switch (pattern?.type) {
      case 'Identifier':
        this.#declare(scope, pattern.name);
        break;
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          if (property.computed) this.visit(property.key);
          this.#bind(property.value ?? property, scope);
        }
        break;
      case 'ArrayPattern':
        for (const element of pattern.elements) this.#bind(element, scope);
        break;
      case 'AssignmentPattern':
        this.#bind(pattern.left, scope);
        this.visit(pattern.right);
        break;
      case 'RestElement':
        this.#bind(pattern.argument, scope);
        break;
    }
  }

  // ---- names ----

  #refer(node, as) {
    const { name } = node;
    if (name === 'arguments' && this.#plainFunctions === 0) this.argumentsOf.push(node);
    if (this.#wanted.has(name)) this.references.push({ node, as, scope: this.#scope });
  }

  // A callee or tag: called as a name it has no `this`, as a property it would.
  #called(node) {
    if (node.type !== 'Identifier') this.visit(node);
    else this.#refer(node, node.start === this.#listStart ? 'callee that starts a statement' : 'callee');
  }

  // ---- nodes ----

  #children(node, keys) {
    for (const key of keys) {
      const child = node[key];
      if (Array.isArray(child)) for (const each of child) this.visit(each);
      else this.visit(child);
    }
  }

  #statements(list) {
    let ended = true; // the statement before, whatever follows
    for (const statement of list) {
      if (statement.type === 'ExpressionStatement' && !ended) this.#listStart = statement.start;
      this.visit(statement);
      ended = this.#text[statement.end - 1] === ';' || statement.type === 'DoWhileStatement';
    }
  }

  #function(node) {
    const plain = node.type !== 'ArrowFunctionExpression';
    this.#functions++;
    this.#plainFunctions += plain;
    this.#inScope(true, () => {
      if (node.type === 'FunctionExpression' && node.id !== null) this.#declare(this.#scope, node.id.name);
      // Defaults of parameters do not see the variables of the body.
      this.#inScope(true, () => {
        for (const parameter of node.params) this.#bind(parameter, this.#scope);
        this.#inScope(true, () => {
          if (node.body.type === 'BlockStatement') this.#statements(node.body.body);
          else this.visit(node.body);
        });
      });
    });
    this.#plainFunctions -= plain;
    this.#functions--;
  }

  #class(node) {
    this.#inScope(false, () => {
      if (node.id !== null) this.#declare(this.#scope, node.id.name);
      this.visit(node.superClass);
      for (const member of node.body.body) this.visit(member);
    });
  }

  #loop(node, keys) {
    this.#inScope(false, () => this.#children(node, keys));
  }

  #handlers = {
    __proto__: null,
    ArrowFunctionExpression: (node) => this.#function(node),
    AwaitExpression: (node) => {
      if (this.#functions === 0) this.awaits.push({ node, starts: node.start === this.#listStart });
      this.visit(node.argument);
    },
    BlockStatement: (node) => this.#inScope(false, () => this.#statements(node.body)),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'eval') this.evals = true;
      this.#called(node.callee);
      this.#children(node, ['arguments']);
    },
    CatchClause: (node) =>
      this.#inScope(false, () => {
        this.#bind(node.param, this.#scope);
        this.visit(node.body);
      }),
    ClassDeclaration: (node) => {
      if (node.id !== null) this.#declare(this.#scope, node.id.name);
      this.#class(node);
    },
    ClassExpression: (node) => this.#class(node),
    ForInStatement: (node) => this.#loop(node, ['left', 'right', 'body']),
    ForOfStatement: (node) => {
      if (node.await && this.#functions === 0) this.loops = true;
      this.#loop(node, ['left', 'right', 'body']);
    },
    ForStatement: (node) => this.#loop(node, ['init', 'test', 'update', 'body']),
    FunctionDeclaration: (node) => {
      if (node.id !== null) this.#declare(this.#scope, node.id.name);
      this.#function(node);
    },
    FunctionExpression: (node) => this.#function(node),
    Identifier: (node) => this.#refer(node, 'value'),
    ImportExpression: (node) => {
      this.imports.push(node);
      this.#children(node, ['source', 'options']);
    },
    MemberExpression: (node) => {
      this.visit(node.object);
      if (node.computed) this.visit(node.property);
    },
    MetaProperty: (node) => {
      if (node.meta.name === 'import') this.metas.push(node);
    },
    MethodDefinition: (node) => this.#member(node),
    Property: (node) => this.#property(node),
    PropertyDefinition: (node) => this.#member(node),
    StaticBlock: (node) => this.#inScope(true, () => this.#statements(node.body)),
    SwitchStatement: (node) => {
      this.visit(node.discriminant);
      this.#inScope(false, () => {
        for (const each of node.cases) {
          this.visit(each.test);
          this.#statements(each.consequent);
        }
      });
    },
    TaggedTemplateExpression: (node) => {
      this.#called(node.tag);
      this.visit(node.quasi);
    },
    VariableDeclaration: (node) => {
      if (node.kind === 'await using' && this.#functions === 0) this.loops = true;
      const scope = node.kind === 'var' ? this.#scope.vars : this.#scope;
      for (const { id, init } of node.declarations) {
        this.#bind(id, scope);
        this.visit(init);
      }
    },
  };

  #member(node) {
    if (node.computed) this.visit(node.key);
    this.visit(node.value);
  }

  // Of an object, or of a pattern that is assigned to.
  #property(node) {
    if (node.computed) this.visit(node.key);
    if (!node.shorthand) {
      this.visit(node.value);
    } else if (node.value.type === 'AssignmentPattern') {
      this.#refer(node.value.left, 'shorthand');
      this.visit(node.value.right);
    } else {
      this.#refer(node.value, 'shorthand');
    }
  }

  visit(node) {
    if (node === null || node === undefined) return;
    const handler = this.#handlers[node.type];
    if (handler !== undefined) handler(node);
    else if (CHILDREN[node.type] !== undefined) this.#children(node, CHILDREN[node.type]);
  }

  program(ast) {
    this.#statements(ast.body);
    if (ast.expression !== undefined) this.visit(ast.expression);
    this.references = this.references.filter(({ node, scope }) => {
      for (let at = scope; at !== undefined; at = at.parent) if (at.names?.has(node.name)) return false;
      return true;
    });
    return this;
  }
}

// `wanted` has the names whose references are looked for.
export const find = (ast, text, wanted) => new Finder(text, wanted).program(ast);

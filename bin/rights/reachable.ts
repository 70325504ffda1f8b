import { parse } from 'acorn';

/** A node of ESTree, whose types narrow by `type`: the walk takes any. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Any = any;

/** Classes that send: their methods are told apart by the names of their instances. */
const STORE = /^(Dynamo(?!Table)|S3|Sqs|Kms|SecretsManager)/;
/**
 * Methods (`DynamoAccounts.find`) and functions that a handler can reach: a method is reached where its class is made and its name is
 * called on any value, in code that is reached itself. Rather too many than too few: AWS would deny a missing one.
 * @param code a bundle in one text, as `ownCode` makes it.
 */
export function reachable(code: string): Reached {
  return new Walk(code).run();
}

/** A call in a method of a store: the field of its table or client, and the action. */
export interface Sent {
  readonly field: string;
  readonly action: string;
}

export interface Reached {
  readonly names: ReadonlySet<string>;
  /** Settings with addresses of queues; null: any of them, since the code chooses the queue as it runs. */
  readonly queueSettings: ReadonlySet<string> | null;
  /** By the name of a store's method. */
  readonly sends: ReadonlyMap<string, readonly Sent[]>;
}

/** Methods of `DynamoTable`, and what they send. */
const TABLE_ACTIONS: Readonly<Record<string, string>> = {
  ...{ get: 'GetItem', getAll: 'BatchGetItem', query: 'Query', page: 'Query', put: 'PutItem' },
  ...{ putAll: 'BatchWriteItem', deleteAll: 'BatchWriteItem', update: 'UpdateItem', updateItem: 'UpdateItem' },
  ...{ delete: 'DeleteItem', putPart: 'PutItem', updatePart: 'UpdateItem', deletePart: 'DeleteItem' },
  checkPart: 'ConditionCheckItem',
};
/** Commands under the names of their rights, without those of DynamoDB. */
const COMMAND_ACTIONS: Readonly<Record<string, string>> = {
  ...{ GetObjectCommand: 'GetObject', HeadObjectCommand: 'GetObject', PutObjectCommand: 'PutObject' },
  ...{ DeleteObjectCommand: 'DeleteObject', DeleteObjectsCommand: 'DeleteObject' },
  ...{ SendMessageBatchCommand: 'SendMessage', ChangeMessageVisibilityCommand: 'ChangeMessageVisibility' },
  ...{ EncryptCommand: 'Encrypt', DecryptCommand: 'Decrypt', InvokeCommand: 'InvokeFunction' },
  ...{ GetSecretValueCommand: 'GetSecretValue', PutSecretValueCommand: 'PutSecretValue' },
};

/** Names all settings. */
const RESOURCES = 'functions/shared/resources.ts';

interface Gated {
  readonly node: Any;
  readonly name: string;
  readonly isStore: boolean;
}

class Walk {
  readonly #reached = new Set<string>();
  readonly #sends = new Map<string, readonly Sent[]>();
  readonly #queueSettings = new Set<string>();
  #choosesQueues = false;
  readonly #bindings = new Map<string, Any[]>();
  readonly #seen = new Set<Any>();
  readonly #queue: Any[] = [];
  readonly #gated: Gated[] = [];
  readonly #called = new Set<string>();
  /** Names that are called in ways in which no method of a store is. */
  readonly #calledOnOthers = new Set<string>();
  readonly #files: readonly (readonly [number, string])[];

  constructor(code: string) {
    const files: [number, string][] = [];
    const program: Any = parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      onComment: (isBlock, text, start) => {
        if (!isBlock && /^ \w+\/\S+\.ts$/.test(text)) files.push([start, text.trim()]);
      },
    });
    this.#files = files;
    for (const statement of program.body) this.#top(statement);
  }

  run(): Reached {
    for (let before = -1; before !== this.#seen.size; ) {
      before = this.#seen.size;
      for (let node = this.#queue.pop(); node !== undefined; node = this.#queue.pop()) this.#visit(node);
      for (const { node, name, isStore } of this.#gated)
        if (this.#called.has(name) || (!isStore && this.#calledOnOthers.has(name))) this.#visit(node);
    }
    const queueSettings = this.#choosesQueues ? null : this.#queueSettings;
    return { names: this.#reached, sends: this.#sends, queueSettings };
  }

  #top(statement: Any): void {
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
      this.#bind(statement.id.name, statement);
    else if (statement.type === 'VariableDeclaration')
      for (const declarator of statement.declarations)
        for (const name of namesIn(declarator.id)) this.#bind(name, declarator);
    else if (statement.type === 'ExportNamedDeclaration') {
      // Lambda calls only the handler.
      for (const { local, exported } of statement.specifiers) if (exported.name === 'handler') this.#queue.push(local);
    } else if (statement.type !== 'ImportDeclaration') this.#queue.push(statement);
  }

  #bind(name: string, node: Any): void {
    this.#bindings.set(name, [...(this.#bindings.get(name) ?? []), node]);
  }

  #visit(node: Any): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    this.#walk(node);
  }

  #walk(node: Any): void {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const each of node) this.#walk(each);
      return;
    }
    const walk = this.#walks[node.type];
    if (walk === undefined) this.#children(node);
    else walk(node);
  }

  readonly #walks: Readonly<Record<string, (node: Any) => void>> = {
    Identifier: ({ name }) => {
      for (const bound of this.#bindings.get(name) ?? []) if (!this.#seen.has(bound)) this.#queue.push(bound);
    },
    Literal: ({ value, start }) => {
      if (/_QUEUE_URL$/.test(value) && this.#fileAt(start) !== RESOURCES) this.#queueSettings.add(value);
    },
    Method: ({ mark, value }) => {
      this.#reached.add(mark);
      // A `delete` of another class is of a map.
      if (STORE.test(mark)) this.#sends.set(mark, mark.startsWith('Dynamo') ? tableCallsIn(value) : commandsIn(value));
      this.#walk(value);
    },
    MemberExpression: (node) => this.#member(node),
    CallExpression: (node) => this.#call(node),
    ObjectPattern: (node) => this.#pattern(node),
    ObjectExpression: (node) => this.#object(node),
    ClassDeclaration: (node) => this.#class(node, node.id.name),
    ClassExpression: (node) => this.#class(node, node.id?.name ?? ''),
    // The name of a class is that of its variable.
    VariableDeclarator: (node) =>
      node.init?.type === 'ClassExpression' ? this.#class(node.init, node.id.name) : this.#children(node),
    AssignmentExpression: (node) =>
      node.right.type === 'ClassExpression' ? this.#class(node.right, node.left.name) : this.#children(node),
    FunctionDeclaration: (node) => {
      this.#reached.add(plain(node.id.name));
      // Parts of transactions are also made by functions that stores share, for tables that they are given.
      this.#sends.set(plain(node.id.name), [...partsIn(node.body), ...commandsIn(node.body)]);
      this.#children(node);
    },
  };

  #children(node: Any): void {
    for (const [key, value] of Object.entries(node))
      if (value !== null && typeof value === 'object' && key !== 'type') this.#walk(value);
  }

  #member({ object, property, computed }: Any): void {
    this.#walk(object);
    if (computed && object.name === 'queues') this.#choosesQueues = true;
    if (computed) this.#walk(property);
    if (!computed) this.#called.add(nameOf(property));
    else if (property.type === 'Literal') this.#called.add(String(property.value));
  }

  #call(node: Any): void {
    const {
      callee,
      arguments: [first],
    } = node;
    const isPlain =
      first !== undefined && (isFunction(first) || first.type === 'Literal' || first.type === 'TemplateLiteral');
    const isSent = first !== undefined && isCommand(first);
    // A list's `find(each => …)`, a text's `replace('a', …)` or a client's `send(new …Command(…))`: stores get none of them.
    if (!(isPlain || isSent) || callee.type !== 'MemberExpression' || callee.computed) {
      this.#children(node);
      return;
    }
    this.#walk(callee.object);
    this.#walk(node.arguments);
    if (!isSent) this.#calledOnOthers.add(nameOf(callee.property));
  }

  #pattern({ properties }: Any): void {
    for (const property of properties) {
      if (property.type === 'RestElement') {
        this.#walk(property.argument);
        continue;
      }
      // A method of a store needs its store: it cannot be taken off it.
      if (!property.computed) this.#calledOnOthers.add(nameOf(property.key));
      this.#walk(property.value);
    }
  }

  #class(node: Any, bound: string): void {
    if (this.#seen.has(node.body)) return;
    this.#seen.add(node.body);
    const name = plain(bound.replace(/^_/, ''));
    this.#walk(node.superClass);
    for (const member of node.body.body) {
      if (member.type !== 'MethodDefinition' || member.kind === 'constructor' || member.computed)
        this.#queue.push(member);
      else {
        const key = nameOf(member.key);
        const method = { type: 'Method', mark: `${name}.${key}`, value: member.value };
        this.#gated.push({ node: method, name: key, isStore: STORE.test(name) });
      }
    }
  }

  /** In a wiring, a function under a name runs where the name is called; elsewhere objects may be asked by any key. */
  #object(node: Any): void {
    const isWiring = /wiring|ports|secret-box|queue-by-url/.test(this.#fileAt(node.start));
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        this.#walk(property.argument);
        continue;
      }
      if (property.computed) this.#walk(property.key);
      const key = nameOf(property.key);
      if (isWiring && !property.computed && isFunction(property.value) && !key.includes('/'))
        this.#gated.push({ node: property.value, name: key, isStore: false });
      else this.#walk(property.value);
    }
  }

  #fileAt(position: number): string {
    return this.#files.findLast(([start]) => start <= position)?.[1] ?? '';
  }
}

/** esbuild numbers names that occur in several modules. */
function plain(name: string): string {
  return name.replace(/(?<=[a-z])\d+$/, '');
}

function nameOf(key: Any): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return key.name ?? String(key.value);
}

function isFunction(node: Any): boolean {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

function namesIn(pattern: Any): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property: Any) => namesIn(property.value ?? property.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    default:
      return [];
  }
}

function isCommand(node: Any): boolean {
  return node.type === 'NewExpression' && /Command\d*$/.test(node.callee.name ?? '');
}

/** The commands of AWS services in a body. */
function commandsIn(node: Any): readonly Sent[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(commandsIn);
  const inside = Object.values(node).flatMap(commandsIn);
  const action = isCommand(node) ? COMMAND_ACTIONS[plain(node.callee.name)] : undefined;
  return action === undefined ? inside : [...inside, { field: 'client', action }];
}

/** The calls of tables in a method's body. */
function tableCallsIn(node: Any): readonly Sent[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(tableCallsIn);
  const inside = Object.values(node).flatMap(tableCallsIn);
  // `this.#table.get(…)`
  if (node.type !== 'MemberExpression' || node.object.type !== 'MemberExpression') return inside;
  const action = TABLE_ACTIONS[nameOf(node.property)];
  if (action === undefined || node.object.object.type !== 'ThisExpression') return inside;
  return [...inside, { field: nameOf(node.object.property).replace('#', ''), action }];
}

/** The parts of transactions that a function makes, of tables under any name: no other class has methods of these names. */
function partsIn(node: Any): readonly Sent[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(partsIn);
  const inside = Object.values(node).flatMap(partsIn);
  if (node.type !== 'MemberExpression' || node.computed || !nameOf(node.property).endsWith('Part')) return inside;
  const action = TABLE_ACTIONS[nameOf(node.property)];
  return action === undefined ? inside : [...inside, { field: receiverOf(node.object), action }];
}

/** The last name of a receiver: `ports.accounts` is `accounts`. */
function receiverOf(node: Any): string {
  return node.type === 'MemberExpression' ? nameOf(node.property).replace('#', '') : plain(node.name ?? '');
}

import { FILTERS, filterNamed } from './filters.ts';
import { itemOf, memberOf, sliceOf } from './members.ts';
import { BINARY, defined, negated } from './operators.ts';
import type { Scope } from './scope.ts';
import { TESTS, testNamed } from './tests.ts';
import type { TokenReader } from './token-reader.ts';
import {
  type Arguments,
  Callable,
  isNumber,
  isTrue,
  itemsOf,
  Members,
  TemplateFault,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './values.ts';
import { textOf } from './written.ts';

/** An expression, compiled: its value by the names of a scope. */
export type Expression = (scope: Scope) => Value;
type ArgumentsIn = (scope: Scope) => Arguments;

const CONSTANTS: Readonly<Record<string, Value>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
const COMPARISONS = ['==', '!=', '<', '>', '<=', '>='];
const NOT_OPERANDS = ['else', 'or', 'and', 'if', 'in', 'is', 'not'];

/** `a, b` is a tuple; one expression is itself. */
export function parseTuple(tokens: TokenReader, hasCondition = true): Expression {
  const parse = () => (hasCondition ? parseExpression(tokens) : parseOr(tokens));
  const first = parse();
  if (!tokens.is('operator', ',')) return first;
  const all = [first];
  while (tokens.takes('operator', ',') && !endsTuple(tokens)) all.push(parse());
  return (scope) => new Tuple(all.map((each) => each(scope)));
}

function endsTuple(tokens: TokenReader): boolean {
  return tokens.is('operator', '}}', '%}', ')') || tokens.is('name', 'in') || tokens.is('end');
}

export function parseExpression(tokens: TokenReader): Expression {
  return tokens.nested(() => {
    const value = parseOr(tokens);
    if (!tokens.takes('name', 'if')) return value;
    const test = parseOr(tokens);
    const otherwise = tokens.takes('name', 'else')
      ? parseExpression(tokens)
      : () => new Undefined('the value of an if without else');
    return (scope) => (isTrue(test(scope)) ? value(scope) : otherwise(scope));
  });
}

export function parseOr(tokens: TokenReader): Expression {
  let left = parseAnd(tokens);
  while (tokens.takes('name', 'or')) {
    const [a, b] = [left, parseAnd(tokens)];
    left = (scope) => {
      const value = a(scope);
      return isTrue(value) ? value : b(scope);
    };
  }
  return left;
}

function parseAnd(tokens: TokenReader): Expression {
  let left = parseNot(tokens);
  while (tokens.takes('name', 'and')) {
    const [a, b] = [left, parseNot(tokens)];
    left = (scope) => {
      const value = a(scope);
      return isTrue(value) ? b(scope) : value;
    };
  }
  return left;
}

function parseNot(tokens: TokenReader): Expression {
  if (!tokens.takes('name', 'not')) return parseComparison(tokens);
  const value = tokens.nested(() => parseNot(tokens));
  return (scope) => !isTrue(value(scope));
}

/** `a < b < c` holds if both do. */
function parseComparison(tokens: TokenReader): Expression {
  const first = parseChain(tokens, 0);
  const rest: { readonly holds: (a: Value, b: Value) => boolean; readonly right: Expression }[] = [];
  for (;;) {
    if (tokens.is('operator', ...COMPARISONS)) {
      const apply = BINARY[tokens.next().value]!;
      rest.push({ holds: (a, b) => isTrue(apply(a, b)), right: parseChain(tokens, 0) });
    } else if (tokens.takes('name', 'in')) {
      rest.push({ holds: (a, b) => isTrue(BINARY.in!(a, b)), right: parseChain(tokens, 0) });
    } else if (tokens.is('name', 'not') && tokens.follows('in')) {
      tokens.next();
      tokens.next();
      rest.push({ holds: (a, b) => !isTrue(BINARY.in!(a, b)), right: parseChain(tokens, 0) });
    } else break;
  }
  if (rest.length === 0) return first;
  return (scope) => {
    let left = first(scope);
    return rest.every(({ holds, right }) => {
      const value = right(scope);
      const holdsHere = holds(left, value);
      left = value;
      return holdsHere;
    });
  };
}

/** Operators of two operands, from those that bind least. */
const LEVELS = [['+', '-'], ['~'], ['*', '/', '//', '%'], ['**']];

function parseChain(tokens: TokenReader, level: number): Expression {
  const signs = LEVELS[level];
  if (!signs) return parseUnary(tokens, true);
  let left = parseChain(tokens, level + 1);
  while (tokens.is('operator', ...signs)) {
    const apply = BINARY[tokens.next().value]!;
    const [a, b] = [left, parseChain(tokens, level + 1)];
    left = (scope) => apply(a(scope), b(scope));
  }
  return left;
}

function parseUnary(tokens: TokenReader, takesFilters: boolean): Expression {
  const value = parseAfter(tokens, parseSigned(tokens));
  return takesFilters ? parseFilters(tokens, value) : value;
}

function parseSigned(tokens: TokenReader): Expression {
  if (tokens.takes('operator', '-')) {
    const inner = tokens.nested(() => parseUnary(tokens, false));
    return (scope) => negated(inner(scope));
  }
  if (!tokens.takes('operator', '+')) return parsePrimary(tokens);
  const inner = tokens.nested(() => parseUnary(tokens, false));
  return (scope) => {
    const value = defined(inner(scope));
    if (!isNumber(value)) throw new TemplateFault(`bad operand type for unary +: '${typeName(value)}'`);
    return value;
  };
}

function parsePrimary(tokens: TokenReader): Expression {
  const { kind, value } = tokens.next();
  if (kind === 'name') {
    const constant = CONSTANTS[value];
    return constant === undefined ? (scope) => scope.get(value) : () => constant;
  }
  if (kind === 'integer') {
    const number = BigInt(value);
    return () => number;
  }
  if (kind === 'float') return () => Number(value);
  if (kind === 'string') {
    let text = value;
    while (tokens.is('string')) text += tokens.next().value;
    return () => text;
  }
  if (kind === 'operator' && value === '(') return parseParentheses(tokens);
  if (kind === 'operator' && value === '[') return parseList(tokens);
  if (kind === 'operator' && value === '{') return parseDict(tokens);
  throw tokens.fault(`unexpected ${kind === 'end' ? 'end of template' : `'${value}'`}`);
}

function parseParentheses(tokens: TokenReader): Expression {
  if (tokens.takes('operator', ')')) return () => new Tuple([]);
  const inner = parseTuple(tokens);
  tokens.expect('operator', ')');
  return inner;
}

/** Parts with commas up to a closing mark. */
function parseParts(tokens: TokenReader, closing: string, parse: () => void): void {
  while (!tokens.takes('operator', closing)) {
    parse();
    if (tokens.takes('operator', closing)) return;
    tokens.expect('operator', ',');
  }
}

function parseList(tokens: TokenReader): Expression {
  const items: Expression[] = [];
  parseParts(tokens, ']', () => items.push(parseExpression(tokens)));
  return (scope) => items.map((item) => item(scope));
}

function parseDict(tokens: TokenReader): Expression {
  const members: (readonly [Expression, Expression])[] = [];
  parseParts(tokens, '}', () => {
    const key = parseExpression(tokens);
    tokens.expect('operator', ':');
    members.push([key, parseExpression(tokens)]);
  });
  return (scope) => new Map(members.map(([key, value]) => [key(scope), value(scope)]));
}

/** Members, entries and calls after a value. */
function parseAfter(tokens: TokenReader, before: Expression): Expression {
  let value = before;
  for (;;) {
    const of = value;
    if (tokens.takes('operator', '.')) value = parseMember(tokens, of);
    else if (tokens.takes('operator', '[')) value = parseItem(tokens, of);
    else if (tokens.takes('operator', '(')) value = parseCall(tokens, of);
    else return value;
  }
}

function parseMember(tokens: TokenReader, of: Expression): Expression {
  if (tokens.is('integer')) {
    const place = BigInt(tokens.next().value);
    return (scope) => itemOf(of(scope), place);
  }
  if (tokens.is('float')) {
    const places = tokens.next().value.split('.').map(BigInt);
    return (scope) => places.reduce<Value>((value, place) => itemOf(value, place), of(scope));
  }
  const name = tokens.expect('name').value;
  return (scope) => memberOf(of(scope), name);
}

function parseItem(tokens: TokenReader, of: Expression): Expression {
  const bounds: (Expression | null)[] = [null];
  while (!tokens.takes('operator', ']')) {
    if (tokens.takes('operator', ':')) bounds.push(null);
    else if (bounds.at(-1) === null) bounds[bounds.length - 1] = parseExpression(tokens);
    else throw tokens.fault("expected ']'");
  }
  const [first = null, stop = null, step = null] = bounds;
  if (bounds.length > 1) {
    const at = (bound: Expression | null, scope: Scope) => (bound === null ? null : bound(scope));
    return (scope) => sliceOf(of(scope), at(first, scope), at(stop, scope), at(step, scope));
  }
  if (first === null) throw tokens.fault('expected a key');
  return (scope) => itemOf(of(scope), first(scope));
}

function parseCall(tokens: TokenReader, of: Expression): Expression {
  const args = parseArguments(tokens);
  return (scope) => called(of(scope), args(scope));
}

/** @throws TemplateFault unless it is a function */
export function called(value: Value, args: Arguments): Value {
  if (value instanceof Callable) return value.call(args);
  if (value instanceof Members && value.call) return value.call(args);
  throw new TemplateFault(
    `${value instanceof Undefined ? `${value.what} is undefined` : `'${typeName(value)}' object is not callable`}`,
  );
}

/** Arguments after the opening parenthesis. */
export function parseArguments(tokens: TokenReader): ArgumentsIn {
  const fill: ((scope: Scope, positional: Value[], named: Map<string, Value>) => void)[] = [];
  parseParts(tokens, ')', () => {
    if (tokens.takes('operator', '*')) {
      const all = parseExpression(tokens);
      fill.push((scope, positional) => positional.push(...itemsOf(all(scope))));
    } else if (tokens.takes('operator', '**')) {
      const all = parseExpression(tokens);
      fill.push((scope, _, named) => addNamed(named, all(scope)));
    } else if (tokens.is('name') && tokens.follows('=')) {
      const name = tokens.next().value;
      tokens.next();
      const value = parseExpression(tokens);
      fill.push((scope, _, named) => named.set(name, value(scope)));
    } else {
      const value = parseExpression(tokens);
      fill.push((scope, positional) => positional.push(value(scope)));
    }
  });
  return (scope) => {
    const [positional, named]: [Value[], Map<string, Value>] = [[], new Map()];
    for (const add of fill) add(scope, positional, named);
    return { positional, named };
  };
}

function addNamed(named: Map<string, Value>, values: Value): void {
  if (!(values instanceof Map)) throw new TemplateFault('argument after ** must be a mapping');
  for (const [name, value] of values) named.set(textOf(name), value);
}

const NO_ARGUMENTS: ArgumentsIn = () => ({ positional: [], named: new Map() });

function parseFilters(tokens: TokenReader, before: Expression): Expression {
  let value = before;
  for (;;) {
    const of = value;
    if (tokens.is('operator', '|')) value = parseFilterChain(tokens, of);
    else if (tokens.takes('name', 'is')) value = parseTest(tokens, of);
    else if (tokens.takes('operator', '(')) value = parseCall(tokens, of);
    else return value;
  }
}

/** Filters after each other, each after its `|`. */
export function parseFilterChain(tokens: TokenReader, before: Expression): Expression {
  let value = before;
  while (tokens.takes('operator', '|')) value = parseFilter(tokens, value);
  return value;
}

export function parseFilter(tokens: TokenReader, of: Expression): Expression {
  const name = tokens.expect('name').value;
  if (!FILTERS.has(name)) throw new TemplateFault(`undefined filter: ${name}`);
  const filter = filterNamed(name);
  const args = tokens.takes('operator', '(') ? parseArguments(tokens) : NO_ARGUMENTS;
  return (scope) => filter(of(scope), args(scope));
}

function parseTest(tokens: TokenReader, of: Expression): Expression {
  const isNegated = tokens.takes('name', 'not');
  const name = tokens.expect('name').value;
  if (name === 'filter' || name === 'test')
    return parseKnown(tokens, of, name === 'filter' ? FILTERS : TESTS, isNegated);
  const test = testNamed(name);
  const other = parseOperand(tokens);
  return (scope) => test(of(scope), other(scope)) !== isNegated;
}

/** `is filter`, `is test` */
function parseKnown(
  _: TokenReader,
  of: Expression,
  names: ReadonlyMap<string, unknown>,
  isNegated: boolean,
): Expression {
  return (scope) => names.has(textOf(of(scope))) !== isNegated;
}

/** The value that a test compares with. */
function parseOperand(tokens: TokenReader): Expression {
  if (tokens.takes('operator', '(')) {
    const args = parseArguments(tokens);
    return (scope) => args(scope).positional[0] ?? new Undefined('the value to compare with');
  }
  const isOperand =
    tokens.is('string') ||
    tokens.is('integer') ||
    tokens.is('float') ||
    tokens.is('operator', '[', '{') ||
    (tokens.is('name') && !tokens.is('name', ...NOT_OPERANDS));
  return isOperand ? parseAfter(tokens, parsePrimary(tokens)) : () => new Undefined('the value to compare with');
}

import type { Expression } from './parse-expressions.ts';
import { Scope, type Text } from './scope.ts';
import { bound, needed } from './signature.ts';
import type { Target } from './targets.ts';
import {
  type Arguments,
  Callable,
  isEqual,
  isTrue,
  itemsOf,
  Members,
  TemplateFault,
  Tuple,
  Undefined,
  type Value,
} from './values.ts';

export type Signal = 'break' | 'continue' | undefined;
/** A part of a template, compiled: adds its text. */
export type Part = (scope: Scope, text: Text) => Signal;

export interface Loop {
  readonly target: Target;
  readonly over: Expression;
  readonly condition: Expression | null;
  readonly body: Part;
  readonly otherwise: Part;
  readonly isRecursive: boolean;
}

/** Runs a loop. @param depth of loops that call themselves, from 1 */
export function runLoop(
  loop: Loop,
  values: Value,
  scope: Scope,
  text: Text,
  depth: number,
  newText: () => Text,
): Signal {
  const kept = itemsOf(values).filter((value) => loop.condition === null || isKept(loop, loop.condition, value, scope));
  if (kept.length === 0) return loop.otherwise(new Scope(scope), text);
  const again = (inner: Value) => {
    const own = newText();
    runLoop(loop, inner, scope, own, depth + 1, newText);
    return own.toString();
  };
  const state: State = { index: 0, last: undefined };
  const named = [['loop', described(loop, kept, state, depth, again)]] as const;
  for (const [index, value] of kept.entries()) {
    scope.countPass();
    state.index = index;
    const pass = new Scope(scope, named);
    loop.target(pass, value);
    if (loop.body(pass, text) === 'break') break;
  }
  return undefined;
}

function isKept(loop: Loop, condition: Expression, value: Value, scope: Scope): boolean {
  const pass = new Scope(scope);
  loop.target(pass, value);
  return isTrue(condition(pass));
}

interface State {
  /** Of the pass, from 0. */
  index: number;
  /** The last values of `loop.changed`. */
  last: Value | undefined;
}

/** The value of `loop`: one for all passes, as in Jinja2. */
function described(
  loop: Loop,
  values: readonly Value[],
  state: State,
  depth: number,
  again: (inner: Value) => string,
): Members {
  const members: Readonly<Record<string, () => Value>> = {
    index: () => BigInt(state.index + 1),
    index0: () => BigInt(state.index),
    revindex: () => BigInt(values.length - state.index),
    revindex0: () => BigInt(values.length - state.index - 1),
    length: () => BigInt(values.length),
    depth: () => BigInt(depth),
    depth0: () => BigInt(depth - 1),
    first: () => state.index === 0,
    last: () => state.index === values.length - 1,
    previtem: () => itemAt(values, state.index - 1, 'previous'),
    nextitem: () => itemAt(values, state.index + 1, 'next'),
    cycle: () => new Callable('cycle', ({ positional }) => cycled(positional, state.index)),
    changed: () => new Callable('changed', ({ positional }) => hasChanged(new Tuple(positional), state)),
  };
  const call = (args: Arguments) => {
    if (!loop.isRecursive)
      throw new TemplateFault("The loop must have the 'recursive' marker to be called recursively.");
    return again(needed('loop()', 'iterable', bound('loop()', ['iterable'], args)[0]));
  };
  return new Members([], call, (name) => (Object.hasOwn(members, name) ? members[name]!() : undefined));
}

function cycled(values: readonly Value[], index: number): Value {
  if (values.length === 0) throw new TemplateFault('no items for cycling given');
  return values[index % values.length]!;
}

function hasChanged(now: Tuple, state: State): boolean {
  const isNew = state.last === undefined || !isEqual(state.last, now);
  state.last = now;
  return isNew;
}

function itemAt(values: readonly Value[], index: number, which: string): Value {
  const value = values[index];
  return value === undefined ? new Undefined(`the ${which} item`) : value;
}

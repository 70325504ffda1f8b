import type { Expression } from './parse-expressions.ts';
import { Scope, type Text } from './scope.ts';
import { bound, needed } from './signature.ts';
import type { Target } from './targets.ts';
import { Callable, isEqual, isTrue, itemsOf, Members, TemplateFault, Tuple, Undefined, type Value } from './values.ts';

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
  const seen: { last: Value | undefined } = { last: undefined };
  for (const [index, value] of kept.entries()) {
    const pass = new Scope(scope, [['loop', describe(loop, kept, index, depth, again, seen)]]);
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

/** The value of `loop`. */
function describe(
  loop: Loop,
  values: readonly Value[],
  index: number,
  depth: number,
  again: (inner: Value) => string,
  seen: { last: Value | undefined },
): Members {
  const { length } = values;
  const numbers = { index: index + 1, index0: index, revindex: length - index, revindex0: length - index - 1, length };
  const members = Object.entries({ ...numbers, depth, depth0: depth - 1 }).map(
    ([name, value]) => [name, BigInt(value)] as const,
  );
  const cycle = new Callable('cycle', ({ positional }) => {
    if (positional.length === 0) throw new TemplateFault('no items for cycling given');
    return positional[index % positional.length]!;
  });
  const changed = new Callable('changed', ({ positional }) => {
    const now = new Tuple(positional);
    const hasChanged = seen.last === undefined || !isEqual(seen.last, now);
    seen.last = now;
    return hasChanged;
  });
  return new Members(
    [
      ...members,
      ['first', index === 0],
      ['last', index === length - 1],
      ['previtem', itemAt(values, index - 1, 'previous')],
      ['nextitem', itemAt(values, index + 1, 'next')],
      ['cycle', cycle],
      ['changed', changed],
    ],
    (args) => {
      if (!loop.isRecursive)
        throw new TemplateFault("The loop must have the 'recursive' marker to be called recursively.");
      return again(needed('loop()', 'iterable', bound('loop()', ['iterable'], args)[0]));
    },
  );
}

function itemAt(values: readonly Value[], index: number, which: string): Value {
  const value = values[index];
  return value === undefined ? new Undefined(`the ${which} item`) : value;
}

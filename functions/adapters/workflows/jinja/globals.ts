import { dictOf } from './dict-methods.ts';
import { bound, needed } from './signature.ts';
import { type Arguments, type Call, Callable, Members, TemplateFault, type Value, wholeOf } from './values.ts';

const MAX_RANGE = 100_000;

function range(args: Arguments): Value {
  const [first, second, third] = bound('range()', ['start', 'stop', 'step'], args);
  const one = wholeOf(needed('range()', 'stop', first), 'range()');
  const [start, stop] = second === undefined ? [0, one] : [one, wholeOf(second, 'range()')];
  const step = third === undefined ? 1 : wholeOf(third, 'range()');
  if (step === 0) throw new TemplateFault('range() arg 3 must not be zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MAX_RANGE) throw new TemplateFault(`range() gives more than ${MAX_RANGE} numbers`);
  return Array.from({ length: count }, (_, index) => BigInt(start + index * step));
}

function cycler({ positional }: Arguments): Value {
  if (positional.length === 0) throw new TemplateFault('at least one item has to be provided');
  let at = 0;
  const cycle = new Members([['current', positional[0]!]]);
  const moved = (to: number) => {
    at = to % positional.length;
    cycle.members.set('current', positional[at]!);
  };
  const next = () => {
    const value = positional[at]!;
    moved(at + 1);
    return value;
  };
  const reset = () => {
    moved(0);
    return null;
  };
  cycle.members.set('next', new Callable('next', next));
  cycle.members.set('reset', new Callable('reset', reset));
  return cycle;
}

function joiner(args: Arguments): Value {
  const [mark = ', '] = bound('joiner()', ['sep'], args);
  let isFirst = true;
  return new Callable('joiner', () => {
    const text = isFirst ? '' : mark;
    isFirst = false;
    return text;
  });
}

function namespace(args: Arguments): Value {
  return new Members([...dictOf(args)].map(([name, value]) => [String(name), value] as const));
}

/** The functions that every template has. */
export const GLOBALS: readonly (readonly [string, Value])[] = Object.entries<Call>({
  range,
  dict: dictOf,
  namespace,
  cycler,
  joiner,
}).map(([name, call]) => [name, new Callable(name, call)]);

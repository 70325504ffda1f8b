import { boundedJson } from '../../../shared/bounded-json.ts';
import type { Json } from '../graph/graph.ts';

/** The JSON that a model wrote: alone, in a fenced block, or among other words; undefined where there is none. */
export function jsonIn(text: string): Json | undefined {
  const whole = parsed(text.trim());
  if (whole !== undefined) return whole;
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
    const found = from >= 0 && to > from ? parsed(text.slice(from, to + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return boundedJson(text) as Json;
  } catch {
    return undefined;
  }
}

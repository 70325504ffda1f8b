import type { JsonObject } from './domain/graph/graph.ts';
import { sizeOf } from './domain/graph/references.ts';
import { formUrl } from './domain/run/form-links.ts';
import type { RunHead } from './domain/run/run.ts';

/** Characters of the values of one event. */
const MAX_EVENT_LENGTH = 250_000;
const VALUES = ['inputs', 'outputs', 'variables'] as const;

/** Nodes' inputs and outputs, and what people of the workspace are asked, belong to the workspace: visitors get only the answer. */
export const HIDDEN_FROM_VISITORS: readonly string[] = [
  'inputs',
  'outputs',
  'variables',
  'failure',
  'message',
  'fields',
  'actions',
  'query',
  'documents',
  'thought',
  'arguments',
  'arguments_delta',
  'result',
];

/** An event without values that are too large for a stream; the record of the run has them. */
export function shownEvent(payload: JsonObject): JsonObject {
  const large = VALUES.filter((name) => sizeOf(payload[name] ?? null, MAX_EVENT_LENGTH) > MAX_EVENT_LENGTH);
  if (large.length === 0) return payload;
  const rest = Object.entries(payload).filter(([name]) => !(large as readonly string[]).includes(name));
  return { ...Object.fromEntries(rest), values_omitted: true };
}

/** As `shownEvent`; of a node that waits for people with its link. */
export function shownOfRun(payload: JsonObject, head: RunHead, baseUrl: string): JsonObject {
  const { status, execution_key: key } = payload;
  const url = status === 'waiting' && typeof key === 'string' ? formUrl(head, key, baseUrl) : '';
  return { ...shownEvent(payload), ...(url !== '' && { url }) };
}

/** Takes values as long as they fit into one response together. */
export class ShownValues {
  #left: number;

  /** @param length characters of JSON. */
  constructor(length: number) {
    this.#left = length;
  }

  /** @returns null where it does not fit. */
  take<Value extends JsonObject>(value: Value): Value | null {
    const length = sizeOf(value, this.#left);
    if (length > this.#left) return null;
    this.#left -= length;
    return value;
  }
}

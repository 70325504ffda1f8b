import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../graph/graph.ts';
import { memberAt, textOf } from '../graph/references.ts';
import type { Check } from './test-case.ts';

/** Checks of values against JSON schemas. */
export interface SchemaChecks {
  /** The faults of a value as one sentence; null where it fits. @throws Error for a schema that cannot be used */
  faultOf(schema: JsonObject, value: Json): string | null;
}

const MAX_SHOWN = 300;

/** The value that a check is about. */
export function subjectOf(
  { of }: Pick<Check, 'of'>,
  run: { readonly answer: string; readonly outputs: JsonObject },
): Json {
  const [first, ...path] = of.split('.');
  return first === 'outputs' ? memberAt(run.outputs, path) : run.answer;
}

/** The reason why a value does not pass a check that needs no model; null where it passes. */
export function faultOf(
  check: Exclude<Check, { kind: 'judgement' }>,
  value: Json,
  schemas: SchemaChecks,
): string | null {
  const { of } = check;
  switch (check.kind) {
    case 'equals':
      return isDeepStrictEqual(value, check.value) ? null : `${of} is ${shown(value)}, not ${shown(check.value)}.`;
    case 'contains': {
      const text = textOf(value);
      const missing = check.texts.filter((each) => !text.includes(each));
      return missing.length === 0 ? null : `${of} lacks ${missing.map(shown).join(', ')}: it is ${shown(value)}.`;
    }
    case 'schema': {
      const fault = schemas.faultOf(check.schema, value);
      return fault === null ? null : `${of} does not fit its schema: ${fault}.`;
    }
  }
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

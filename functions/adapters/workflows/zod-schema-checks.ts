import * as z from 'zod';
import type { SchemaChecks } from '../../workflows/domain/evaluate/check-value.ts';

const MAX_SHOWN = 3;
/** A client's own patterns could take forever on a text. */
const REFUSED = ['pattern', 'patternProperties', '$ref', '$dynamicRef'];

/** JSON schemas as zod has them. */
export const zodSchemaChecks: SchemaChecks = {
  faultOf(schema, value) {
    const refused = REFUSED.find((name) => hasMember(schema, name));
    if (refused !== undefined) throw new Error(`${refused} is not supported in schemas of checks`);
    const checked = z.fromJSONSchema(schema as never).safeParse(value);
    if (checked.success) return null;
    return checked.error.issues
      .slice(0, MAX_SHOWN)
      .map(({ path, message }) => `${path.length === 0 ? 'it' : path.join('.')}: ${message}`)
      .join('; ');
  },
};

function hasMember(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => key === name || hasMember(each, name));
}

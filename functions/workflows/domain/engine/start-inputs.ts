import { isFile, toFile } from '../graph/files.ts';
import { type GraphNode, type Json, type JsonObject, typeOf } from '../graph/graph.ts';
import { type StartField, startFields } from '../graph/node-fields.ts';

export interface InputIssue {
  readonly field: string;
  readonly message: string;
}

export type StartInputs = { readonly values: JsonObject } | { readonly issues: readonly InputIssue[] };

/** The values of the fields of a start node or of a form, with defaults, or the faults of the given ones. */
export function startInputs(start: GraphNode, given: JsonObject, owner = 'the start node'): StartInputs {
  const fields = startFields(start);
  const issues: InputIssue[] = [];
  const values: Record<string, Json> = {};
  for (const name of Object.keys(given))
    if (!fields.some((field) => field.name === name))
      issues.push({ field: name, message: `is no field of ${owner}, which has ${namesOf(fields)}` });
  for (const field of fields) {
    const sent = asFiles(field, Object.hasOwn(given, field.name) ? (given[field.name] ?? null) : null);
    const fault = sent === null ? null : faultOf(field, sent);
    if (fault !== null) issues.push({ field: field.name, message: fault });
    else if (sent === null && field.required) issues.push({ field: field.name, message: 'is needed' });
    else values[field.name] = sent ?? field.defaultValue;
  }
  return issues.length > 0 ? { issues } : { values };
}

/** Files may be sent as addresses. */
function asFiles({ type }: StartField, sent: Json): Json {
  if (type === 'file' && sent !== null) return toFile(sent) ?? sent;
  if (type !== 'files' || sent === null) return sent;
  const list = (Array.isArray(sent) ? sent : [sent]) as readonly Json[];
  return list.map((each) => toFile(each) ?? each);
}

const FILE_FORM = 'an https address, a data: URL, or an object with one as its url';

function faultOf({ type, options, maxLength }: StartField, value: Json): string | null {
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return 'must be a text';
      return value.length > maxLength ? `must have at most ${maxLength} characters` : null;
    case 'file':
      return isFile(value) ? null : `must be ${FILE_FORM}`;
    case 'files':
      return Array.isArray(value) && value.every(isFile) ? null : `must be a list of files, each ${FILE_FORM}`;
    case 'select':
      return typeof value === 'string' && options.includes(value) ? null : `must be one of ${options.join(', ')}`;
    default:
      return typeOf(value) === type ? null : `must be a ${type}`;
  }
}

function namesOf(fields: readonly StartField[]): string {
  return fields.length === 0 ? 'none' : fields.map(({ name }) => name).join(', ');
}

import type { Phrase, Texts } from '../../../shared/phrases.ts';
import { isFile, toFile } from '../graph/files.ts';
import { type GraphNode, type Json, type JsonObject, typeOf } from '../graph/graph.ts';
import { type StartField, startFields } from '../graph/node-fields.ts';
import { type InputIssue, inputFault, NO_FIELDS, START_NODE, TYPE_NAMES } from './input-issues.ts';

export type StartInputs = { readonly values: JsonObject } | { readonly issues: readonly InputIssue[] };

/** The values of the fields of a start node or of a form, with defaults, or the faults of the given ones. */
export function startInputs(start: GraphNode, given: JsonObject, owner: Texts = START_NODE): StartInputs {
  const fields = startFields(start);
  const issues: InputIssue[] = [];
  const values: Record<string, Json> = {};
  for (const name of Object.keys(given))
    if (!fields.some((field) => field.name === name))
      issues.push({ field: name, fault: inputFault('unknown_field', { owner, known: namesOf(fields) }) });
  for (const field of fields) {
    const sent = asFiles(field, Object.hasOwn(given, field.name) ? (given[field.name] ?? null) : null);
    const fault = sent === null ? null : faultOf(field, sent);
    if (fault !== null) issues.push({ field: field.name, fault });
    else if (sent === null && field.required) issues.push({ field: field.name, fault: inputFault('needed') });
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

function faultOf({ type, options, maxLength }: StartField, value: Json): Phrase | null {
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return inputFault('not_text');
      return value.length > maxLength ? inputFault('too_long', { max: maxLength }) : null;
    case 'file':
      return isFile(value) ? null : inputFault('not_file');
    case 'files':
      return Array.isArray(value) && value.every(isFile) ? null : inputFault('not_files');
    case 'select':
      return typeof value === 'string' && options.includes(value)
        ? null
        : inputFault('not_an_option', { options: options.join(', ') });
    default:
      return typeOf(value) === type ? null : inputFault('wrong_type', { type: TYPE_NAMES[type] });
  }
}

function namesOf(fields: readonly StartField[]): string | Texts {
  return fields.length === 0 ? NO_FIELDS : fields.map(({ name }) => name).join(', ');
}

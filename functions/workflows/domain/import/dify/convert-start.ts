import { boundedJson } from '../../../../shared/bounded-json.ts';
import { listField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';
import { noted } from '../note-texts.ts';
import type { Conversion, Converter } from './conversion.ts';
import { headerName } from './convert-triggers.ts';
import { valueType } from './dify-file.ts';
import { numberOf } from './values.ts';

const FIELD_TYPES: Readonly<Record<string, string>> = {
  ...{ 'text-input': 'text', paragraph: 'text', number: 'number', select: 'select', checkbox: 'boolean' },
  ...{ file: 'file', 'file-list': 'files', json_object: 'object', json: 'object', external_data_tool: 'text' },
};
const MAX_OPTIONS = 500;

export const start: Converter = ({ data }, conversion) => {
  const seen = new Set<string>();
  const fields = [...listField(data, 'variables'), ...webhookFields(data)]
    .filter(isObject)
    .filter((each) => {
      const name = nameOf(each);
      if (name === '' || seen.has(name)) return false;
      seen.add(name);
      return true;
    })
    .map((each) => field(each, conversion));
  return { type: 'start', config: { fields } };
};

function nameOf(variable: JsonObject): string {
  return textField(variable, 'variable') || textField(variable, 'name');
}

function field(variable: JsonObject, { note }: Conversion): JsonObject {
  const given = textField(variable, 'type');
  const type = FIELD_TYPES[given] ?? startType(variable.value_type ?? given);
  const name = nameOf(variable);
  if (given === 'external_data_tool') note('changed', noted('field_external', { name }));
  const options = [...new Set(listField(variable, 'options').map(String))].filter((option) => option !== '');
  const isSelect = type === 'select' && options.length > 0;
  if (options.length > MAX_OPTIONS) note('changed', noted('too_many_options', { name, count: options.length }));
  const kind = isSelect && options.length <= MAX_OPTIONS ? 'select' : type === 'select' ? 'text' : type;
  const byDefault = defaultOf(variable.default, kind, options);
  const label = textField(variable, 'label').trim().slice(0, 200);
  const maxLength = numberOf(variable.max_length);
  return {
    name,
    type: kind,
    ...(label !== '' && { label }),
    required: variable.required === true,
    ...(byDefault !== null && { default: byDefault }),
    ...(kind === 'select' && { options }),
    ...(kind === 'text' &&
      maxLength !== null &&
      maxLength >= 1 && { max_length: Math.min(100_000, Math.floor(maxLength)) }),
  };
}

function defaultOf(value: Json | undefined, type: string, options: readonly string[]): Json {
  if (value === undefined || value === null || value === '') return null;
  switch (type) {
    case 'number':
      return numberOf(value);
    case 'boolean':
      return value === true || value === 'true';
    case 'select':
      return options.includes(String(value)) ? String(value) : null;
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'object':
      return isObject(value) ? value : null;
    default:
      return null;
  }
}

function startType(type: Json): string {
  const known = valueType(type);
  return known === 'any' ? 'text' : known;
}

/** The inputs of a webhook in the file. */
function webhookFields(data: JsonObject): readonly Json[] {
  const headers = listField(data, 'headers')
    .filter(isObject)
    .map((each) => ({ ...each, name: headerName(textField(each, 'name')) }));
  return [...listField(data, 'params'), ...headers, ...listField(data, 'body')];
}

/** Variables of conversations, and constants. */
export function conversationVariables(given: readonly JsonObject[]) {
  const named = given.filter((each, index) => given.findIndex(({ name }) => name === each.name) === index);
  return named.map((each) => {
    const type = valueType(each.value_type);
    return {
      name: textField(each, 'name'),
      type,
      initial: fitting(each.value, type),
      description: textField(each, 'description').slice(0, 1_000),
    };
  });
}

const EMPTY: Readonly<Record<string, Json>> = { text: '', number: 0, boolean: false, list: [], object: {} };

/** A value as its type says: files write numbers as texts. */
export function fitting(value: Json | undefined, type: string): Json {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
    case 'number':
      return numberOf(value) ?? 0;
    case 'boolean':
      return value === true || value === 'true';
    case 'list':
      return Array.isArray(value) ? value : (parsed(value, Array.isArray) ?? []);
    case 'object':
      return isObject(value) ? value : (parsed(value, isObject) ?? {});
    default:
      return value ?? EMPTY[type] ?? null;
  }
}

/** A value that a file writes as JSON in a text. */
export function parsed(value: Json | undefined, isRight: (found: Json) => boolean): Json {
  if (typeof value !== 'string') return null;
  try {
    const found = boundedJson(value) as Json;
    return isRight(found) ? found : null;
  } catch {
    return null;
  }
}

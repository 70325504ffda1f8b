import { boundedJson } from '../../../../shared/bounded-json.ts';
import { listField, numberField, objectField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';
import { noted } from '../note-texts.ts';
import type { Conversion, Converter } from './conversion.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const httpRequest: Converter = ({ data }, conversion) => {
  const { names, note } = conversion;
  const method = textField(data, 'method').toUpperCase();
  if (!METHODS.includes(method)) note('changed', noted('method', { method: JSON.stringify(method) }));
  const isRead = !METHODS.includes(method) || method === 'GET' || method === 'HEAD';
  if (data.ssl_verify === false) note('changed', noted('certificates'));
  const body = isRead ? {} : bodyOf(objectField(data, 'body'), conversion);
  const headers = pairsOf(textField(data, 'headers'), conversion);
  const params = pairsOf(textField(data, 'params'), conversion);
  const timeout = objectField(data, 'timeout');
  const seconds = ['connect', 'read', 'write']
    .map((part) => numberField(timeout, part, 0) || numberField(timeout, `max_${part}_timeout`, 0))
    .reduce((sum, each) => sum + each, 0);
  // There, a status is an output like any other, unless the node handles errors or tries again.
  const fails = typeof data.error_strategy === 'string' || objectField(data, 'retry_config').retry_enabled === true;
  return {
    type: 'http_request',
    config: {
      method: METHODS.includes(method) ? method : 'GET',
      url: names.text(textField(data, 'url').trim()),
      ...(Object.keys(params).length > 0 && { params }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...authOf(objectField(data, 'authorization'), conversion),
      ...body,
      ...(seconds > 0 && { timeout_seconds: Math.max(1, Math.min(120, Math.ceil(seconds))) }),
      ...(!fails && { fail_on_status: false }),
    },
  };
};

/** Lines of `name:value`. A name may come several times. */
function pairsOf(text: string, { names }: Conversion): Record<string, Json> {
  const pairs: Record<string, Json> = {};
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const name = (colon < 0 ? line : line.slice(0, colon)).trim();
    if (name === '') continue;
    const value = colon < 0 ? '' : names.text(line.slice(colon + 1).trim());
    const known = pairs[name];
    pairs[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return pairs;
}

function authOf({ type, config }: JsonObject, { names, note, secret }: Conversion): JsonObject {
  if (type !== 'api-key') return {};
  const given = isObject(config) ? config : {};
  const key = textField(given, 'api_key');
  if (key === '') {
    note('connect', noted('api_key'));
    return {};
  }
  // A key in the open in the file is kept as a secret of the workflow.
  const value = key.includes('{{#') ? names.text(key) : secret(key);
  if (given.type === 'bearer' || given.type === 'basic') return { auth: { kind: given.type, value } };
  return { auth: { kind: 'header', header: textField(given, 'header') || 'Authorization', value } };
}

function bodyOf(body: JsonObject, conversion: Conversion): JsonObject {
  const { names } = conversion;
  const parts = listField(body, 'data').filter(isObject);
  const text = Array.isArray(body.data)
    ? parts.map((each) => textField(each, 'value')).join('')
    : textField(body, 'data');
  switch (body.type) {
    case 'form-data':
    case 'x-www-form-urlencoded':
      return {
        body: Array.isArray(body.data) ? fieldsOf(parts, conversion) : pairsOf(text, conversion),
        body_type: body.type === 'form-data' ? 'multipart' : 'form',
      };
    case 'binary':
      return { body: names.selected(parts[0]?.file), body_type: 'binary' };
    case 'raw-text':
      return text === '' ? {} : { body: names.text(text), body_type: 'text' };
    case 'json':
      return text.trim() === '' ? {} : { body: jsonBody(text, conversion), body_type: 'json' };
    default:
      return {};
  }
}

function fieldsOf(parts: readonly JsonObject[], { names }: Conversion): JsonObject {
  const fields: Record<string, Json> = {};
  for (const part of parts) {
    const name = names.text(textField(part, 'key'));
    if (name === '') continue;
    const value = part.type === 'file' ? names.selected(part.file) || null : names.text(textField(part, 'value'));
    const known = fields[name];
    fields[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return fields;
}

/**
 * JSON whose references are within its texts becomes an object, with every value encoded as JSON. If one is in the place of a value, the
 * file expects it to contain JSON: that stays a text.
 */
function jsonBody(text: string, { names }: Conversion): Json {
  try {
    const parsed = boundedJson(text) as Json;
    if (typeof parsed === 'object' && parsed !== null) return converted(parsed, (each) => names.text(each));
  } catch {
    // It is JSON only with its values in place.
  }
  return names.text(text);
}

function converted(value: Json, toText: (text: string) => string): Json {
  if (typeof value === 'string') return toText(value);
  if (Array.isArray(value)) return value.map((each: Json) => converted(each, toText));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, converted(each, toText)]));
  return value;
}

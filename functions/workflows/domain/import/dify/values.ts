import { listField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';
import type { Names } from './names.ts';

/** Inputs of programs and templates: names, and what they stand for. */
export function namedValues(data: JsonObject, names: Names, member = 'variables'): JsonObject {
  return Object.fromEntries(
    listField(data, member)
      .filter(isObject)
      .filter((each) => textField(each, 'variable') !== '')
      .map((each) => [textField(each, 'variable'), names.selected(each.value_selector)]),
  );
}

/** A constant of a file: its texts hold no references. */
export function constant(value: Json | undefined, names: Names): Json {
  if (typeof value === 'string') return names.text(value);
  if (Array.isArray(value)) return value.map((each: Json) => constant(each, names));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, constant(each, names)]));
  return value ?? null;
}

/** A parameter as {type, value}: a text with references, a selector, or a constant. */
export function parameterValue(parameter: Json | undefined, names: Names): Json {
  if (!isObject(parameter) || !Object.hasOwn(parameter, 'value') || !Object.hasOwn(parameter, 'type'))
    return constant(parameter, names);
  const { type, value } = parameter;
  if (type === 'variable') return names.selected(value) || null;
  return constant(value, names);
}

/** A number that a file may write as a text. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

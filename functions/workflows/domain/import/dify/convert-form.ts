import { listField, objectField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';
import { TIMEOUT_HANDLE } from '../../graph/people.ts';
import { noted } from '../note-texts.ts';
import type { Conversion, Converter } from './conversion.ts';
import { formFieldName } from './names.ts';
import { numberOf } from './values.ts';

/**
 * The form of a `human-input`: its inputs are fields, its actions and its time-out are handles. What has no counterpart is kept as the file
 * has it, so that the draft is not valid before a person has decided: a wrong branch may pay out money.
 */
export const humanInput: Converter = ({ data }, conversion) => {
  const actions = listField(data, 'user_actions')
    .filter(isObject)
    .map((action) => ({
      id: textField(action, 'id'),
      title: textField(action, 'title').slice(0, 100) || textField(action, 'id'),
    }));
  const fields = listField(data, 'inputs')
    .filter(isObject)
    .map((input) => field(input, conversion));
  delivered(data, conversion);
  return {
    type: 'human_input',
    config: {
      message: message(textField(data, 'form_content'), conversion),
      ...(fields.length > 0 && { fields }),
      actions,
      ...timeout(data),
    },
  };
};

/** The handle of an edge there, as it is named here. */
export function formHandle(handle: string): string {
  return handle === '__timeout' ? TIMEOUT_HANDLE : handle;
}

/** A text with the places of its fields. */
function message(text: string, { names }: Conversion): string {
  const placed = text.replace(
    /\{\{#\$output\.(\w{1,64})#\}\}/g,
    (_, name: string) => `{{$output.${formFieldName(name)}}}`,
  );
  return names.text(placed);
}

const FIELD_TYPES: Readonly<Record<string, string>> = {
  ...{ 'text-input': 'text', text_input: 'text', paragraph: 'text', number: 'number', checkbox: 'boolean' },
  ...{ select: 'select', file: 'file', 'file-list': 'files', file_list: 'files' },
};

/** A person may leave each of them empty there. A type without a counterpart stays: it is not valid. */
function field(input: JsonObject, { names }: Conversion): JsonObject {
  const name = textField(input, 'output_variable_name');
  const given = textField(input, 'type');
  const preset = objectField(input, 'default');
  const value: Json = preset.type === 'variable' ? names.selected(preset.selector) || null : presetOf(preset, names);
  const options = optionsOf(input);
  return {
    name: formFieldName(name),
    type: FIELD_TYPES[given] ?? given,
    label: textField(input, 'label') || name,
    required: false,
    ...(value !== null && value !== '' && { default: value }),
    ...(options.length > 0 && { options }),
  };
}

function presetOf({ value = null }: JsonObject, names: Conversion['names']): Json {
  return typeof value === 'string' ? names.text(value) : value;
}

function optionsOf(input: JsonObject): readonly string[] {
  const source = objectField(input, 'option_source');
  const listed = listField(source, 'value').length > 0 ? listField(source, 'value') : listField(input, 'options');
  return listed.filter((option) => typeof option === 'string');
}

const UNITS: Readonly<Record<string, string>> = { hour: 'hours', day: 'days', minute: 'minutes' };

function timeout(data: JsonObject): JsonObject {
  const unit = textField(data, 'timeout_unit') || 'hour';
  return { timeout: numberOf(data.timeout) ?? 36, timeout_unit: UNITS[unit] ?? unit };
}

/** Recipients that the file names. The message of a form is for them alone. */
function delivered(data: JsonObject, { note }: Conversion): void {
  const methods = listField(data, 'delivery_methods').filter(isObject);
  const others = methods
    .filter(({ enabled, type }) => enabled !== false && type !== 'webapp')
    .map(({ type }) => String(type));
  if (others.length > 0) note('changed', noted('form_delivery', { methods: [...new Set(others)].join(', ') }));
}

import {
  type Field,
  type Fields,
  MAX_LITERAL_LENGTH,
  MAX_TEXT_LENGTH,
} from '../../../functions/workflows/domain/graph/fields.ts';

const count = (value: number) => value.toLocaleString('en-US');
const code = (text: string) => `\`${text}\``;

/** Rows of a table of members: name, value, default, description. Members of members follow with their paths. */
export function fieldRows(fields: Fields, path = ''): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { optional, byDefault, description = '' } = field;
    const shown = optional ? (byDefault === undefined ? '' : code(String(byDefault))) : 'required';
    return [[code(path + name), valuesOf(field), shown, description], ...rowsBelow(field, path + name)];
  });
}

function rowsBelow(field: Field, path: string): readonly (readonly string[])[] {
  if (field.kind === 'object') return fieldRows(field.fields, `${path}.`);
  return field.kind === 'list' ? rowsBelow(field.of, `${path}[]`) : [];
}

/** The values that a member may have. */
function valuesOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `text with references${upTo(field.maxLength ?? MAX_TEXT_LENGTH)}`;
    case 'literal':
      return field.form?.en ?? `text${upTo(field.maxLength ?? MAX_LITERAL_LENGTH)}`;
    case 'choice':
      return field.of.map(code).join(', ');
    case 'integer':
      return `whole number, ${count(field.min)} to ${count(field.max)}`;
    case 'number':
      return `number, ${count(field.min)} to ${count(field.max)}`;
    case 'flag':
      return 'true or false';
    case 'json':
      return 'object';
    case 'value':
      return field.type === 'any' ? 'any value, with references' : `${field.type}, or a reference to one`;
    case 'list':
      return `list of ${field.min === 0 ? 'up' : `${count(field.min)}`} to ${count(field.max)}: ${valuesOf(field.of)}`;
    case 'record':
      return `object of up to ${count(field.max)} members: ${valuesOf(field.of)}`;
    case 'object':
      return 'object';
  }
}

const upTo = (length: number) => `, up to ${count(length)} characters`;

import { type Field, listField, objectField, textField } from './fields.ts';
import { DEFAULT_HANDLE, type GraphNode, isObject, type Json, type ValueType } from './graph.ts';

export const FIELD_TYPES = ['text', 'number', 'boolean', 'select', 'list', 'object', 'file', 'files'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A typed field of a start node. */
export interface StartField {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly defaultValue: Json;
  readonly options: readonly string[];
  readonly maxLength: number;
}

export const OPERATORS = [
  ...['equals', 'not_equals', 'contains', 'not_contains', 'starts_with', 'ends_with', 'is_empty', 'is_not_empty'],
  ...['gt', 'gte', 'lt', 'lte', 'is_true', 'is_false'],
  ...[
    'is_null',
    'is_not_null',
    'in',
    'not_in',
    'all_of',
    'some_match',
    'none_match',
    'all_match',
    'is_blank',
    'is_not_blank',
  ],
] as const;

/** Comparisons of one value, without a second one. */
export const UNARY_OPERATORS: readonly string[] = [
  ...['is_empty', 'is_not_empty', 'is_true', 'is_false', 'is_null', 'is_not_null', 'is_blank', 'is_not_blank'],
];

/** Operations of an assigner on a variable. */
export const OPERATIONS = [
  ...['overwrite', 'append', 'extend', 'clear', 'add', 'subtract', 'multiply', 'divide'],
  ...['remove_first', 'remove_last'],
] as const;

export const LANGUAGES = ['python', 'javascript', 'go', 'ruby', 'typescript', 'bash'] as const;
export const MAX_PASSES = 10_000;
export const MAX_PARALLEL_PASSES = 50;
export const OUTPUT_TYPES = ['file', 'text', 'number', 'boolean', 'list', 'object', 'any'] as const;

export const text: Field = { kind: 'text' };
export const optionalText: Field = { kind: 'text', optional: true };
export const name: Field = {
  kind: 'literal',
  pattern: /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u,
  form: {
    en: '1 to 64 letters, digits and _, no digit first',
    ko: '글자, 숫자, _로 1~64자, 숫자로 시작하지 않는 이름',
  },
};
export const handle: Field = {
  kind: 'literal',
  pattern: /^[\w-]{1,64}$/,
  form: { en: '1 to 64 letters, digits, _ and -', ko: '영문자, 숫자, _, -로 1~64자' },
};
export const any: Field = { kind: 'value', type: 'any' };
export const optionalAny: Field = { ...any, optional: true };
export const application: Field = {
  kind: 'literal',
  pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  form: {
    en: 'the UUID of an application of the workspace, whose model is asked and whose tools are called',
    ko: '모델에게 묻고 도구를 쓸, 워크스페이스에 있는 애플리케이션의 UUID',
  },
  optional: true,
};
export const conditions: Field = {
  kind: 'list',
  min: 1,
  max: 20,
  of: {
    kind: 'object',
    fields: { left: any, operator: { kind: 'choice', of: OPERATORS }, right: optionalAny },
  },
};
export const match: Field = { kind: 'choice', of: ['all', 'any'], optional: true };
export const importedFrom: Field = { kind: 'literal', maxLength: 500, optional: true };
export const syntax: Field = { kind: 'choice', of: ['liquid', 'jinja2'], optional: true };
/** Compared members of the entries of a list. */
export const memberConditions: Field = {
  kind: 'list',
  min: 1,
  max: 20,
  of: {
    kind: 'object',
    fields: {
      key: { kind: 'literal', optional: true },
      operator: { kind: 'choice', of: OPERATORS },
      value: optionalAny,
    },
  },
};

export const single = () => [DEFAULT_HANDLE];
export const typed = (types: Readonly<Record<string, ValueType>>) => () => types;

const START_TYPES: Partial<Record<FieldType, ValueType>> = { select: 'text', files: 'list' };

/** A list of typed fields, which people or callers fill in. */
export const typedFields = {
  kind: 'list',
  min: 0,
  max: 50,
  of: {
    kind: 'object',
    fields: {
      name,
      type: { kind: 'choice', of: FIELD_TYPES },
      label: { kind: 'literal', optional: true },
      required: { kind: 'flag', optional: true },
      default: optionalAny,
      options: {
        kind: 'list',
        min: 1,
        max: 500,
        of: { kind: 'literal', maxLength: 2_000 },
        optional: true,
      },
      max_length: { kind: 'integer', min: 1, max: 100_000, optional: true },
    },
  },
} as const satisfies Field;

export function startFields(node: GraphNode): readonly StartField[] {
  return listField(node.config, 'fields')
    .filter(isObject)
    .map((field) => ({
      name: textField(field, 'name'),
      type: textField(field, 'type') as FieldType,
      required: field.required !== false && field.default === undefined,
      defaultValue: field.default ?? null,
      options: listField(field, 'options').filter((option) => typeof option === 'string'),
      maxLength: typeof field.max_length === 'number' ? field.max_length : 100_000,
    }));
}

/** Types of the values of fields. */
export function typesOf(fields: readonly StartField[]): Readonly<Record<string, ValueType>> {
  return Object.fromEntries(fields.map(({ name, type }) => [name, START_TYPES[type] ?? (type as ValueType)]));
}

/** Variables that an assigner changes. `owner` is "conversation", or the id of a loop. */
export function assignedTo(node: GraphNode): readonly { readonly owner: string; readonly name: string }[] {
  return listField(node.config, 'items')
    .filter(isObject)
    .map((item) => {
      const [owner = '', ...name] = textField(item, 'variable').split('.');
      return { owner, name: name.join('.') };
    });
}

export function declaredOutputs(node: GraphNode): Readonly<Record<string, ValueType>> {
  return objectField(node.config, 'outputs') as Readonly<Record<string, ValueType>>;
}

export function idsOf(node: GraphNode, list: string): readonly string[] {
  return listField(node.config, list)
    .filter(isObject)
    .map(({ id }) => String(id));
}

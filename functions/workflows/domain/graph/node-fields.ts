import { type Field, listField, MAX_TEXT_LENGTH, objectField, textField } from './fields.ts';
import { DEFAULT_HANDLE, type GraphNode, isObject, type Json, type ValueType } from './graph.ts';
import { DEFAULT_SECONDS } from './node-seconds.ts';

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
export const DEFAULT_PASSES = 100;
export const MAX_PARALLEL_PASSES = 50;
/** Passages of a search. */
export const DEFAULT_HITS = 5;
export const OUTPUT_TYPES = ['file', 'text', 'number', 'boolean', 'list', 'object', 'any'] as const;

export const text = { kind: 'text' } as const satisfies Field;
export const name = {
  kind: 'literal',
  pattern: /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u,
  form: {
    en: '1 to 64 letters, digits and _, no digit first',
    ko: '글자, 숫자, _로 1~64자, 숫자로 시작하지 않는 이름',
  },
} as const satisfies Field;
export const handle = {
  kind: 'literal',
  pattern: /^[\w-]{1,64}$/,
  form: { en: '1 to 64 letters, digits, _ and -', ko: '영문자, 숫자, _, -로 1~64자' },
} as const satisfies Field;
export const any = { kind: 'value', type: 'any' } as const satisfies Field;

/** @param purpose what the node uses the application for */
export function application(purpose: string): Field {
  return {
    kind: 'literal',
    pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    form: {
      en: 'the UUID of an application of the workspace, whose model is asked and whose tools are called',
      ko: '모델에게 묻고 도구를 쓸, 워크스페이스에 있는 애플리케이션의 UUID',
    },
    description: `The application ${purpose}. Without it: the application that the run belongs to.`,
    optional: true,
  };
}

/** The member `timeout_seconds` of nodes with effects. @param max in seconds */
export function timeoutSeconds(type: keyof typeof DEFAULT_SECONDS, max: number): Field {
  return {
    kind: 'integer',
    min: 1,
    max,
    description: 'Seconds that one attempt of the node may take. A longer one fails with `timeout`.',
    byDefault: DEFAULT_SECONDS[type],
    optional: true,
  };
}

const operator = {
  kind: 'choice',
  of: OPERATORS,
  description: 'How they are compared.',
} as const satisfies Field;
export const conditions: Field = {
  kind: 'list',
  min: 1,
  max: 20,
  description: 'The comparisons.',
  of: {
    kind: 'object',
    fields: {
      left: { ...any, description: 'The compared value, mostly a reference.' },
      operator,
      right: {
        ...any,
        description:
          'What it is compared with. Not for operators of one value. For `some_match`, `none_match` and `all_match`: an object ' +
          'with `match` and `conditions`, as the `filter` of a list_operator.',
        optional: true,
      },
    },
  },
};
export const match: Field = {
  kind: 'choice',
  of: ['all', 'any'],
  description: 'Whether all conditions must hold, or any one of them.',
  byDefault: 'all',
  optional: true,
};
export const importedFrom: Field = {
  kind: 'literal',
  maxLength: 500,
  description:
    'Set by an import: where the tools come from, which are not connected yet. Remove it once an application has tools of these names.',
  optional: true,
};
/** Compared members of the entries of a list. */
export const memberConditions: Field = {
  kind: 'list',
  min: 1,
  max: 20,
  description: 'The comparisons of one entry.',
  of: {
    kind: 'object',
    fields: {
      key: {
        kind: 'literal',
        description: 'The compared member of an entry. Without it: the entry itself.',
        optional: true,
      },
      operator,
      value: {
        ...any,
        description: 'What the member is compared with. Not for operators of one value.',
        optional: true,
      },
    },
  },
};

export const single = () => [DEFAULT_HANDLE];
export const typed = (types: Readonly<Record<string, ValueType>>) => () => types;

const START_TYPES: Partial<Record<FieldType, ValueType>> = { select: 'text', files: 'list' };

/** Typed fields, which people or callers fill in. */
export function typedFields(description: string): Field {
  return { kind: 'list', min: 0, max: 50, of: typedField, description, optional: true };
}

const typedField: Field = {
  kind: 'object',
  fields: {
    name: { ...name, description: 'Name of the value, unique among the fields.' },
    type: {
      kind: 'choice',
      of: FIELD_TYPES,
      description:
        'Type of the value. A `select` takes one of `options`; `file` and `files` take https addresses, data: URLs, or objects with a `url`.',
    },
    label: {
      kind: 'literal',
      description: 'What people read in a form. Without it: the name.',
      optional: true,
    },
    required: {
      kind: 'flag',
      description: 'Whether a value must be sent. A field with a default never requires one.',
      byDefault: true,
      optional: true,
    },
    default: { ...any, description: 'The value if none is sent. Without it: null.', optional: true },
    options: {
      kind: 'list',
      min: 1,
      max: 500,
      of: { kind: 'literal', maxLength: 2_000 },
      description: 'The choices of a `select`.',
      optional: true,
    },
    max_length: {
      kind: 'integer',
      min: 1,
      max: MAX_TEXT_LENGTH,
      description: 'Characters that a `text` may have.',
      byDefault: MAX_TEXT_LENGTH,
      optional: true,
    },
  },
};

export function startFields(node: GraphNode): readonly StartField[] {
  return listField(node.config, 'fields')
    .filter(isObject)
    .map((field) => ({
      name: textField(field, 'name'),
      type: textField(field, 'type') as FieldType,
      required: field.required !== false && field.default === undefined,
      defaultValue: field.default ?? null,
      options: listField(field, 'options').filter((option) => typeof option === 'string'),
      maxLength: typeof field.max_length === 'number' ? field.max_length : MAX_TEXT_LENGTH,
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

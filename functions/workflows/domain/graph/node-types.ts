import { type Field, type Fields, listField, objectField, textField } from './fields.ts';
import {
  DEFAULT_HANDLE,
  ERROR_HANDLE,
  type GraphNode,
  isObject,
  type Json,
  type NodeType,
  type ValueType,
} from './graph.ts';

/** What a type of node is configured with, gives out, and leads to. */
export interface NodeKind {
  readonly config: Fields;
  /** Outputs by name; `open` where others may come. */
  readonly outputs: (node: GraphNode) => Readonly<Record<string, ValueType>>;
  /** True when references may name outputs that are not known before the node has run. */
  readonly isOpen?: true;
  /** Handles beside "error". */
  readonly handles: (node: GraphNode) => readonly string[];
  /**
   * 'control': decided by the engine itself. 'effect': performed outside it, and may fail. 'body': runs the nodes whose
   * parent it is. 'wait': goes on when a person decides.
   */
  readonly nature: 'control' | 'effect' | 'body' | 'wait';
}

export const FIELD_TYPES = ['text', 'number', 'boolean', 'select', 'list', 'object'] as const;
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
] as const;

export const LANGUAGES = ['python', 'javascript', 'go', 'ruby', 'typescript', 'bash'] as const;
export const MAX_APPROVAL_HOURS = 7 * 24;
export const MAX_PASSES = 10_000;
export const MAX_PARALLEL_PASSES = 50;
const OUTPUT_TYPES = ['text', 'number', 'boolean', 'list', 'object', 'any'] as const;

const text: Field = { kind: 'text' };
const optionalText: Field = { kind: 'text', optional: true };
const name: Field = {
  kind: 'literal',
  pattern: /^[A-Za-z_]\w{0,63}$/,
  form: '1 to 64 letters, digits and _, no digit first',
};
const handle: Field = { kind: 'literal', pattern: /^[\w-]{1,64}$/, form: '1 to 64 letters, digits, _ and -' };
const any: Field = { kind: 'value', type: 'any' };
const optionalAny: Field = { ...any, optional: true };
const application: Field = {
  kind: 'literal',
  pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  form: 'the UUID of an application of the workspace, whose model is asked and whose tools are called',
  optional: true,
};
const conditions: Field = {
  kind: 'list',
  min: 1,
  max: 20,
  of: {
    kind: 'object',
    fields: { left: any, operator: { kind: 'choice', of: OPERATORS }, right: optionalAny },
  },
};
const match: Field = { kind: 'choice', of: ['all', 'any'], optional: true };

const single = () => [DEFAULT_HANDLE];
const typed = (types: Readonly<Record<string, ValueType>>) => () => types;

export const NODE_KINDS: Readonly<Record<NodeType, NodeKind>> = {
  start: {
    nature: 'control',
    config: {
      fields: {
        kind: 'list',
        min: 0,
        max: 50,
        optional: true,
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
              max: 100,
              of: { kind: 'literal' },
              optional: true,
            },
            max_length: { kind: 'integer', min: 1, max: 100_000, optional: true },
          },
        },
      },
    },
    outputs: (node) =>
      Object.fromEntries(
        startFields(node).map(({ name, type }) => [name, type === 'select' ? 'text' : (type as ValueType)]),
      ),
    handles: single,
  },
  agent: {
    nature: 'effect',
    config: {
      prompt: text,
      system: optionalText,
      application_id: application,
      temperature: { kind: 'number', min: 0, max: 2, optional: true },
      max_tokens: { kind: 'integer', min: 1, max: 1_000_000, optional: true },
      with_history: { kind: 'flag', optional: true },
      passages: { kind: 'value', type: 'list', optional: true },
      tools: { kind: 'list', min: 0, max: 20, of: { kind: 'literal' }, optional: true },
      max_rounds: { kind: 'integer', min: 1, max: 10, optional: true },
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: typed({ text: 'text', finish_reason: 'text', usage: 'object' }),
    handles: single,
  },
  condition: {
    nature: 'control',
    config: {
      cases: {
        kind: 'list',
        min: 1,
        max: 20,
        of: { kind: 'object', fields: { id: handle, match, conditions } },
      },
    },
    outputs: typed({ case: 'text' }),
    handles: (node) => [...idsOf(node, 'cases'), 'else'],
  },
  classifier: {
    nature: 'effect',
    config: {
      query: text,
      classes: {
        kind: 'list',
        min: 2,
        max: 50,
        of: {
          kind: 'object',
          fields: {
            id: handle,
            name: { kind: 'literal' },
            description: { kind: 'literal', maxLength: 1_000, optional: true },
          },
        },
      },
      instruction: optionalText,
      application_id: application,
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: typed({ class_id: 'text', class_name: 'text' }),
    handles: (node) => idsOf(node, 'classes'),
  },
  knowledge_search: {
    nature: 'effect',
    config: {
      query: text,
      knowledge_base_ids: { kind: 'list', min: 1, max: 10, of: { kind: 'literal' } },
      top_k: { kind: 'integer', min: 1, max: 50, optional: true },
    },
    outputs: typed({ documents: 'list', text: 'text' }),
    handles: single,
  },
  http_request: {
    nature: 'effect',
    config: {
      method: { kind: 'choice', of: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], optional: true },
      url: { kind: 'text', maxLength: 8_000 },
      headers: { kind: 'record', max: 50, of: text, optional: true },
      body: optionalAny,
      timeout_seconds: { kind: 'integer', min: 1, max: 120, optional: true },
    },
    outputs: typed({ status: 'number', headers: 'object', body: 'any', text: 'text' }),
    handles: single,
  },
  tool: {
    nature: 'effect',
    config: {
      application_id: application,
      tool: { kind: 'literal' },
      arguments: { kind: 'record', max: 100, of: any, optional: true },
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: typed({ result: 'any', text: 'text' }),
    handles: single,
  },
  code: {
    nature: 'effect',
    config: {
      language: { kind: 'choice', of: LANGUAGES },
      code: { kind: 'literal', maxLength: 200_000 },
      outputs: { kind: 'record', max: 50, of: { kind: 'choice', of: OUTPUT_TYPES }, optional: true },
      timeout_seconds: { kind: 'integer', min: 1, max: 300, optional: true },
    },
    outputs: (node) => declaredOutputs(node),
    handles: single,
  },
  extract: {
    nature: 'effect',
    config: { image: text, template_id: { kind: 'literal', optional: true } },
    outputs: typed({
      extraction_id: 'text',
      found_table: 'boolean',
      document_type: 'text',
      items: 'list',
      summary: 'object',
      meta: 'object',
      cost_krw: 'number',
    }),
    handles: single,
  },
  template: {
    nature: 'effect',
    config: { template: { kind: 'literal', maxLength: 100_000 } },
    outputs: typed({ text: 'text' }),
    handles: single,
  },
  variable_assign: {
    nature: 'control',
    config: { values: { kind: 'record', max: 50, of: any } },
    outputs: (node) =>
      Object.fromEntries(Object.keys(objectField(node.config, 'values')).map((name) => [name, 'any' as const])),
    handles: single,
  },
  iteration: {
    nature: 'body',
    config: {
      items: { kind: 'value', type: 'list' },
      output: any,
      concurrency: { kind: 'integer', min: 1, max: MAX_PARALLEL_PASSES, optional: true },
      on_item_error: { kind: 'choice', of: ['fail', 'null', 'skip'], optional: true },
    },
    outputs: typed({ results: 'list', count: 'number', errors: 'list' }),
    handles: single,
  },
  loop: {
    nature: 'body',
    config: {
      variables: { kind: 'record', max: 20, of: any, optional: true },
      max_passes: { kind: 'integer', min: 1, max: MAX_PASSES, optional: true },
      until: { kind: 'object', fields: { match, conditions }, optional: true },
    },
    outputs: (node) => ({
      passes: 'number',
      ...Object.fromEntries(Object.keys(objectField(node.config, 'variables')).map((name) => [name, 'any' as const])),
    }),
    handles: single,
  },
  answer: {
    nature: 'control',
    config: { text, files: { kind: 'list', min: 0, max: 20, of: text, optional: true } },
    outputs: typed({ text: 'text' }),
    handles: single,
  },
  approval: {
    nature: 'wait',
    config: {
      message: text,
      timeout_hours: { kind: 'number', min: 0.001, max: MAX_APPROVAL_HOURS, optional: true },
    },
    outputs: typed({ decision: 'text', by: 'text', comment: 'text' }),
    handles: () => ['approved', 'rejected'],
  },
};

export const NODE_TYPES = Object.keys(NODE_KINDS) as readonly NodeType[];

/** Members of {{id.…}} inside the body of a node, where the node itself is still running. */
export function bodyOutputs(node: GraphNode): Readonly<Record<string, ValueType>> {
  if (node.type === 'iteration') return { item: 'any', index: 'number' };
  const variables = Object.keys(objectField(node.config, 'variables'));
  return { index: 'number', ...Object.fromEntries(variables.map((name) => [name, 'any' as const])) };
}

/** {{sys.…}} */
export const SYSTEM_VALUES: Readonly<Record<string, ValueType>> = {
  run_id: 'text',
  workflow_id: 'text',
  session_id: 'text',
  query: 'text',
  files: 'list',
};

export function handlesOf(node: GraphNode): readonly string[] {
  const handles = NODE_KINDS[node.type].handles(node);
  return node.onError === 'branch' ? [...handles, ERROR_HANDLE] : handles;
}

/** Whether something can go wrong with it that its author may plan for. */
export function mayFail({ type }: Pick<GraphNode, 'type'>): boolean {
  return NODE_KINDS[type].nature !== 'control';
}

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

export function declaredOutputs(node: GraphNode): Readonly<Record<string, ValueType>> {
  return objectField(node.config, 'outputs') as Readonly<Record<string, ValueType>>;
}

function idsOf(node: GraphNode, list: string): readonly string[] {
  return listField(node.config, list)
    .filter(isObject)
    .map(({ id }) => String(id));
}

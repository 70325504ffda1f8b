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
  ...['is_null', 'is_not_null', 'in', 'not_in', 'all_of', 'some_match', 'none_match', 'all_match'],
] as const;

/** What an assigner does to a variable. */
export const OPERATIONS = [
  ...['overwrite', 'append', 'extend', 'clear', 'add', 'subtract', 'multiply', 'divide'],
  ...['remove_first', 'remove_last'],
] as const;

export const LANGUAGES = ['python', 'javascript', 'go', 'ruby', 'typescript', 'bash'] as const;
export const MAX_APPROVAL_HOURS = 7 * 24;
export const MAX_PASSES = 10_000;
export const MAX_PARALLEL_PASSES = 50;
const OUTPUT_TYPES = ['file', 'text', 'number', 'boolean', 'list', 'object', 'any'] as const;

const text: Field = { kind: 'text' };
const optionalText: Field = { kind: 'text', optional: true };
const name: Field = {
  kind: 'literal',
  pattern: /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u,
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
const importedFrom: Field = { kind: 'literal', maxLength: 500, optional: true };
const syntax: Field = { kind: 'choice', of: ['liquid', 'jinja2'], optional: true };
/** Compared members of the entries of a list. */
const memberConditions: Field = {
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

const single = () => [DEFAULT_HANDLE];
const typed = (types: Readonly<Record<string, ValueType>>) => () => types;

const START_TYPES: Partial<Record<FieldType, ValueType>> = { select: 'text', files: 'list' };

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
              max: 500,
              of: { kind: 'literal', maxLength: 2_000 },
              optional: true,
            },
            max_length: { kind: 'integer', min: 1, max: 100_000, optional: true },
          },
        },
      },
    },
    outputs: (node) =>
      Object.fromEntries(startFields(node).map(({ name, type }) => [name, START_TYPES[type] ?? (type as ValueType)])),
    handles: single,
  },
  agent: {
    nature: 'effect',
    config: {
      prompt: optionalText,
      system: optionalText,
      /** In the place of prompt and system: the conversation as it is sent. */
      messages: {
        kind: 'list',
        min: 1,
        max: 50,
        optional: true,
        of: {
          kind: 'object',
          fields: {
            role: { kind: 'choice', of: ['system', 'user', 'assistant'] },
            text: optionalText,
            /** Jinja2 over the node's inputs. */
            template: { kind: 'literal', maxLength: 100_000, optional: true },
          },
        },
      },
      /** Pictures and files for the newest message: a file, an address, or a list of them. */
      files: optionalAny,
      /** A JSON schema: the answer is parsed as output `structured_output`. */
      response_schema: { kind: 'json', optional: true },
      history_turns: { kind: 'integer', min: 1, max: 100, optional: true },
      imported_from: importedFrom,
      application_id: application,
      temperature: { kind: 'number', min: 0, max: 2, optional: true },
      max_tokens: { kind: 'integer', min: 1, max: 1_000_000, optional: true },
      with_history: { kind: 'flag', optional: true },
      passages: { kind: 'value', type: 'list', optional: true },
      tools: { kind: 'list', min: 0, max: 20, of: { kind: 'literal' }, optional: true },
      max_rounds: { kind: 'integer', min: 1, max: 10, optional: true },
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: typed({
      text: 'text',
      finish_reason: 'text',
      usage: 'object',
      reasoning: 'text',
      structured_output: 'any',
    }),
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
        min: 1,
        max: 50,
        of: {
          kind: 'object',
          fields: {
            id: handle,
            name: text,
            description: { kind: 'text', maxLength: 1_000, optional: true },
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
      knowledge_base_ids: { kind: 'list', min: 0, max: 10, of: { kind: 'literal' } },
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
      params: { kind: 'record', max: 100, of: any, optional: true, anyName: true },
      headers: { kind: 'record', max: 50, of: text, optional: true, anyName: true },
      auth: {
        kind: 'object',
        optional: true,
        fields: {
          kind: { kind: 'choice', of: ['bearer', 'basic', 'header'] },
          header: { kind: 'literal', optional: true },
          value: text,
        },
      },
      body: optionalAny,
      body_type: { kind: 'choice', of: ['json', 'text', 'form', 'multipart', 'binary'], optional: true },
      /** False: a status of 400 and more is an output like any other. */
      fail_on_status: { kind: 'flag', optional: true },
      timeout_seconds: { kind: 'integer', min: 1, max: 120, optional: true },
    },
    outputs: typed({ status: 'number', headers: 'object', body: 'any', text: 'text', files: 'list' }),
    handles: single,
  },
  tool: {
    nature: 'effect',
    config: {
      application_id: application,
      tool: { kind: 'literal' },
      arguments: { kind: 'record', max: 100, of: any, optional: true, anyName: true },
      /** Where an imported node has its tool from: it is to be connected while this is set. */
      imported_from: importedFrom,
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: typed({ result: 'any', text: 'text', json: 'list', files: 'list' }),
    isOpen: true,
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
    config: { template: { kind: 'literal', maxLength: 100_000 }, syntax },
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
  assigner: {
    nature: 'control',
    config: {
      items: {
        kind: 'list',
        min: 1,
        max: 50,
        of: {
          kind: 'object',
          fields: {
            variable: {
              kind: 'literal',
              pattern: /^[\w-]{1,64}\.[\p{L}\p{N}_-]{1,64}$/u,
              form: 'conversation.<name>, or <id of the loop>.<variable>',
            },
            operation: { kind: 'choice', of: OPERATIONS },
            value: optionalAny,
          },
        },
      },
    },
    outputs: (node) => Object.fromEntries(assignedTo(node).map(({ name }) => [name, 'any' as const])),
    handles: single,
  },
  sub_workflow: {
    nature: 'effect',
    config: {
      workflow_id: {
        kind: 'literal',
        pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
        form: 'the UUID of a workflow of the workspace',
      },
      /** Absent: the one that is published when the node runs. */
      version: { kind: 'integer', min: 1, max: 1_000_000, optional: true },
      inputs: { kind: 'record', max: 100, of: any, optional: true },
      query: optionalText,
      files: optionalAny,
      timeout_seconds: { kind: 'integer', min: 1, max: 280, optional: true },
    },
    outputs: typed({ answer: 'text', outputs: 'object', run_id: 'text' }),
    isOpen: true,
    handles: single,
  },
  list_operator: {
    nature: 'effect',
    config: {
      items: { kind: 'value', type: 'list' },
      filter: { kind: 'object', optional: true, fields: { match, conditions: memberConditions } },
      /** Which entry is taken out, 1 for the first one. */
      extract: { kind: 'value', type: 'number', optional: true },
      sort: {
        kind: 'object',
        optional: true,
        fields: {
          key: { kind: 'literal', optional: true },
          order: { kind: 'choice', of: ['asc', 'desc'], optional: true },
        },
      },
      limit: { kind: 'integer', min: 1, max: 10_000, optional: true },
    },
    outputs: typed({ result: 'list', first: 'any', last: 'any' }),
    handles: single,
  },
  document_extractor: {
    nature: 'effect',
    config: { file: any, timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true } },
    outputs: typed({ text: 'any', pages: 'any' }),
    handles: single,
  },
  parameter_extractor: {
    nature: 'effect',
    config: {
      query: text,
      parameters: {
        kind: 'list',
        min: 1,
        max: 50,
        of: {
          kind: 'object',
          fields: {
            name,
            type: { kind: 'choice', of: ['text', 'number', 'boolean', 'select', 'list', 'object'] },
            description: { kind: 'text', maxLength: 5_000, optional: true },
            required: { kind: 'flag', optional: true },
            options: { kind: 'list', min: 1, max: 100, of: { kind: 'literal', maxLength: 2_000 }, optional: true },
          },
        },
      },
      instruction: optionalText,
      files: optionalAny,
      with_history: { kind: 'flag', optional: true },
      application_id: application,
      timeout_seconds: { kind: 'integer', min: 1, max: 240, optional: true },
    },
    outputs: (node) => ({
      is_success: 'boolean',
      reason: 'text',
      usage: 'object',
      ...Object.fromEntries(
        listField(node.config, 'parameters')
          .filter(isObject)
          .map((each) => [
            textField(each, 'name'),
            each.type === 'select' ? 'text' : (textField(each, 'type') as ValueType),
          ]),
      ),
    }),
    handles: single,
  },
  break: {
    nature: 'control',
    config: {},
    outputs: typed({}),
    handles: () => [],
  },
  iteration: {
    nature: 'body',
    config: {
      items: { kind: 'value', type: 'list' },
      output: any,
      concurrency: { kind: 'integer', min: 1, max: MAX_PARALLEL_PASSES, optional: true },
      on_item_error: { kind: 'choice', of: ['fail', 'null', 'skip'], optional: true },
      /** True: results that are all lists become one list. */
      flatten: { kind: 'flag', optional: true },
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
      /** What the last pass means where `until` does not hold. */
      on_limit: { kind: 'choice', of: ['fail', 'end'], optional: true },
    },
    outputs: (node) => ({
      passes: 'number',
      ...Object.fromEntries(Object.keys(objectField(node.config, 'variables')).map((name) => [name, 'any' as const])),
    }),
    handles: single,
  },
  answer: {
    nature: 'control',
    config: { text, files: optionalAny },
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
  user_id: 'text',
  /** The session, by the name that other builders have for it. */
  conversation_id: 'text',
  /** 1 for the first message of a conversation. */
  dialogue_count: 'number',
  app_id: 'text',
  workflow_run_id: 'text',
  /** Seconds since 1970 at which the run began. */
  timestamp: 'number',
};

/** Variables that an assigner changes. `owner` is "conversation", or the id of a loop. */
export function assignedTo(node: GraphNode): readonly { readonly owner: string; readonly name: string }[] {
  return listField(node.config, 'items')
    .filter(isObject)
    .map((item) => {
      const [owner = '', ...name] = textField(item, 'variable').split('.');
      return { owner, name: name.join('.') };
    });
}

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

import {
  any,
  application,
  declaredOutputs,
  importedFrom,
  LANGUAGES,
  match,
  memberConditions,
  OUTPUT_TYPES,
  optionalAny,
  optionalText,
  single,
  syntax,
  text,
  typed,
} from '../node-fields.ts';
import type { NodeKinds } from '../node-kind.ts';

/** Nodes that do something beyond the engine, without a model. */
export const workKinds: NodeKinds<
  | 'knowledge_search'
  | 'http_request'
  | 'tool'
  | 'code'
  | 'extract'
  | 'template'
  | 'sub_workflow'
  | 'list_operator'
  | 'document_extractor'
> = {
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
    config: { image: any, template_id: { kind: 'literal', optional: true } },
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
  sub_workflow: {
    nature: 'effect',
    config: {
      workflow_id: {
        kind: 'literal',
        pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
        form: { en: 'the UUID of a workflow of the workspace', ko: '워크스페이스에 있는 워크플로의 UUID' },
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
      /** Index of the extracted entry, 1 for the first one. */
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
};

import type { Field, Fields } from '../../../../../functions/workflows/domain/graph/fields.ts';
import { EXAMPLES } from '../../sandbox/examples.ts';
import type { GraphNode } from '../graph.ts';
import { BESIDE, freeId } from './edit-graph.ts';
import type { NodeType } from './known-nodes.ts';

type Config = Readonly<Record<string, unknown>>;

const QUESTION = '{{sys.query}}';
const PROGRAM = 'import json, sys\n\ninputs = json.load(sys.stdin)\nprint(json.dumps({"result": inputs}))\n';

/** Configuration of a new node of each type: valid, unless it has to name something of the workspace. */
const FIRST: Readonly<Record<NodeType, Config>> = {
  start: { fields: [] },
  agent: { prompt: QUESTION },
  classifier: {
    query: QUESTION,
    classes: [
      { id: 'class_1', name: '' },
      { id: 'class_2', name: '' },
    ],
  },
  parameter_extractor: { query: QUESTION, parameters: [{ name: 'value_1', type: 'text', description: '' }] },
  condition: { cases: [{ id: 'case_1', match: 'all', conditions: [{ left: '', operator: 'is_not_empty' }] }] },
  approval: { message: '' },
  human_input: { message: '', fields: [{ name: 'value_1', type: 'text' }], actions: [{ id: 'send', title: 'OK' }] },
  extract: { image: '' },
  code: { language: 'python', code: PROGRAM, outputs: { result: 'any' } },
  http_request: { method: 'GET', url: 'https://' },
  tool: { tool: 'time', arguments: {} },
  knowledge_search: { query: QUESTION, knowledge_base_ids: [] },
  template: { template: 'Text' },
  variable_assign: { values: { value_1: '' } },
  assigner: { items: [{ variable: '', operation: 'overwrite', value: '' }] },
  list_operator: { items: [] },
  document_extractor: { file: '{{sys.files}}' },
  sub_workflow: { workflow_id: '' },
  iteration: { items: [], output: '' },
  loop: { variables: {}, max_passes: 10 },
  break: {},
  answer: { text: '' },
};

export const TYPE_GROUPS = {
  model: ['agent', 'classifier', 'parameter_extractor'],
  flow: ['condition', 'iteration', 'loop', 'break', 'sub_workflow', 'answer', 'start'],
  people: ['approval', 'human_input'],
  data: ['template', 'variable_assign', 'assigner', 'list_operator', 'document_extractor'],
  work: ['extract', 'code', 'http_request', 'tool', 'knowledge_search'],
} as const satisfies Readonly<Record<string, readonly NodeType[]>>;

/** A node to the right of another one, in the same body. */
export function newNode(
  type: NodeType,
  title: string,
  nodes: readonly GraphNode[],
  beside: GraphNode | undefined,
): GraphNode {
  const id = freeId(type, new Set(nodes.map((each) => each.id)));
  const right = Math.max(-BESIDE, ...nodes.map(({ position }) => position?.x ?? 0));
  const from = beside?.position ?? { x: right, y: 0 };
  return {
    id,
    type,
    position: { x: from.x + BESIDE, y: from.y },
    ...(beside?.parent_id && { parent_id: beside.parent_id }),
    data: { title, config: { ...FIRST[type] } },
  };
}

/** The value with which a field starts. @param taken names that must not be given again */
export function blankOf(field: Field, name = '', taken: readonly string[] = []): unknown {
  switch (field.kind) {
    case 'text':
      return '';
    case 'literal':
      if (name === 'code') return EXAMPLES.python;
      return field.pattern ? numbered(name === 'id' ? 'case' : 'value', taken) : '';
    case 'choice':
      return field.of[0];
    case 'integer':
    case 'number':
      return Math.max(field.min, 1);
    case 'flag':
      return true;
    case 'value':
      return field.type === 'list' ? [] : field.type === 'number' ? 1 : '';
    case 'list':
      return Array.from({ length: field.min }, () => blankOf(field.of));
    case 'json':
    case 'record':
      return {};
    case 'object':
      return blankObject(field.fields, taken);
  }
}

/** Its required members, and what a comparison needs. */
function blankObject(fields: Fields, taken: readonly string[]): Config {
  const members = Object.entries(fields).filter(([, field]) => !field.optional);
  const compared = fields.operator && fields.right ? { right: '' } : {};
  return { ...Object.fromEntries(members.map(([name, field]) => [name, blankOf(field, name, taken)])), ...compared };
}

export function numbered(stem: string, taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(`${stem}_${number}`)) number++;
  return `${stem}_${number}`;
}

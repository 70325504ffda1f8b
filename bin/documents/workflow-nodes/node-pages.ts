import {
  type GraphNode,
  type JsonObject,
  NO_RETRY,
  type NodeType,
} from '../../../functions/workflows/domain/graph/graph.ts';
import { mayFail, NODE_KINDS, NODE_TYPES } from '../../../functions/workflows/domain/graph/node-types.ts';
import { table } from '../table.ts';
import { fieldRows } from './field-rows.ts';
import { NODE_TEXTS } from './node-texts.ts';
import { OPERATOR_TEXTS } from './operator-texts.ts';

/** Pages of docs/workflows/nodes/, by their names in docs/. */
export const nodePages: Readonly<Record<string, () => string>> = Object.fromEntries([
  ['workflows/nodes/README', indexPage],
  ...NODE_TYPES.map((type) => [`workflows/nodes/${type}`, () => nodePage(type)] as const),
]);

/** A node without neighbours. */
export function nodeOf(
  type: NodeType,
  { inputs = {}, config }: { readonly inputs?: object; readonly config: object },
): GraphNode {
  return {
    id: type,
    type,
    parentId: null,
    title: type,
    inputs: inputs as JsonObject,
    config: config as JsonObject,
    onError: 'fail',
    defaultOutput: null,
    retry: NO_RETRY,
    position: null,
  };
}

function indexPage(): string {
  const rows = NODE_TYPES.map((type) => [
    `[${type}](${type}.md)`,
    NODE_KINDS[type].about,
    handleNames(type).join(', '),
  ]);
  return `# Workflow nodes

The node types with their configuration, outputs and handles. Generated from the source by \`npm run docs\`; \`openapi.json\` has the same
as schemas.

${table(['type', '', 'handles'], rows)}

## Members of every node

A node is \`{"id", "type", "parent_id", "position", "data"}\`. \`data\` has the \`config\` of its type, and members that all types have:

${table(['member', ''], DATA_ROWS)}

"Text with references" and "any value, with references" may hold [references](../../workflows.md#references) such as \`{{node.output}}\`. An
optional member may be absent or null. A member that its type does not have is a fault.

## Operators

${table(
  ['operator', 'holds if'],
  Object.entries(OPERATOR_TEXTS).map(([name, text]) => [`\`${name}\``, text]),
)}
`;
}

const DATA_ROWS = [
  ['`title`', 'Name for people, up to 200 characters. Without it: the id.'],
  ['`inputs`', 'Values by name, with references: what a template or a program works on, and what an answer hands out.'],
  [
    '`on_error`',
    'What a failure means: `fail` ends the run, `default` continues with `default_output`, `branch` at the handle `error`.',
  ],
  ['`default_output`', 'With `"on_error": "default"`: the outputs.'],
  [
    '`retry`',
    '`max_attempts` (1 to 11, the first one included), `delay_ms` (0 to 60,000; default 500), `backoff` (`exponential` or `fixed`).',
  ],
];

function nodePage(type: NodeType): string {
  const { about, config } = NODE_KINDS[type];
  const { example, inside } = NODE_TEXTS[type];
  const members = fieldRows(config);
  return [
    `# ${type}\n`,
    `${about}\n`,
    '```json',
    JSON.stringify({ id: type, type, data: example }, null, 2),
    '```\n',
    '## Configuration\n',
    members.length === 0 ? 'None.\n' : `${table(['member', 'value', 'default', ''], members)}\n`,
    '## Outputs\n',
    outputsTable(type),
    ...(inside ? ['## Values inside\n', `${table(['reference', ''], insideRows(type, inside))}\n`] : []),
    '## Handles\n',
    handlesTable(type),
    'Generated from the source by `npm run docs`. [All types](README.md)\n',
  ].join('\n');
}

function outputsTable(type: NodeType): string {
  const fixed = NODE_KINDS[type].outputs(nodeOf(type, { config: {} }));
  const rows = Object.entries(NODE_TEXTS[type].outputs).map(([name, text]) => [`\`${name}\``, fixed[name] ?? '', text]);
  return rows.length === 0 ? 'None.\n' : `${table(['output', 'type', ''], rows)}\n`;
}

function insideRows(type: NodeType, inside: Readonly<Record<string, string>>) {
  return Object.entries(inside).map(([name, text]) => [`\`{{${type}.${name}}}\``, text]);
}

const ERROR = 'The node has failed, and its `on_error` is `branch`.';

function handlesTable(type: NodeType): string {
  const { handles } = NODE_TEXTS[type];
  const all = { ...handles, ...(mayFail({ type }) && { error: ERROR }) };
  const rows = Object.entries(all).map(([name, text]) => [`\`${name}\``, text]);
  return rows.length === 0 ? 'None: no edge leaves it.\n' : `${table(['handle', 'taken if'], rows)}\n`;
}

function handleNames(type: NodeType): readonly string[] {
  return Object.keys(NODE_TEXTS[type].handles).map((name) => `\`${name}\``);
}

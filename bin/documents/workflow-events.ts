import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { eventPayloads, NODE_MEMBERS } from '../../functions/shared/stream-events.ts';
import { HIDDEN_FROM_VISITORS } from '../../functions/workflows/shown-values.ts';
import { table } from './table.ts';

/** Streams of real runs, which test/http/workflows/run-events.test.ts compares with the service. */
const EXAMPLES = [
  ['plain', 'A template and an answer'],
  ['tools', 'An agent that calls a tool'],
  ['approval', 'An approval: the stream ends at the wait'],
  ['failure', 'A node that fails, and the run with it'],
] as const;

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly description?: string;
}

/** The text of docs/workflows/events.md. */
export function eventsPage(): string {
  const types = Object.entries(eventPayloads).map(([type, payload]) => ({
    type,
    schema: z.toJSONSchema(payload, { io: 'output' }) as Schema,
  }));
  const node = types.find(({ type }) => type === 'node_started')!.schema;
  return [
    INTRODUCTION,
    '## Types\n',
    `${table(
      ['type', 'sent when'],
      types.map(({ type, schema }) => [`[${type}](#${type})`, schema.description ?? '']),
    )}\n`,
    '## Members of events about a node\n',
    `Every event has them, except those of the whole run, of branches and of the end of the stream.\n`,
    `${table(
      HEAD,
      memberRows(node, (name) => NODE_MEMBERS.includes(name)),
    )}\n`,
    ...types.flatMap(({ type, schema }) => typeSection(type, schema)),
    '## Example streams\n',
    'Each line is an event by its type, with its `seq` and its payload, or a piece of the answer as `text`. The members that all events have in ' +
      'common are left out.\n',
    ...EXAMPLES.flatMap(([name, title]) => [`### ${title}\n`, '```text', exampleOf(name), '```\n']),
  ].join('\n');
}

const HEAD = ['member', 'value', 'visitors', ''];

const INTRODUCTION = `# Workflow events

What a run sends while it runs. Generated from the source by \`npm run docs\`; \`RunEvent\` in \`openapi.json\` is the same as a schema.

| stream | events |
| --- | --- |
| \`POST /api/v1/workflows/{id}/run\` with \`"stream": true\` | always |
| \`POST …/chat/completions\` with \`"stream": true\`, of an application with a workflow | by default; \`X-Stream-Events: none\` switches them off, \`data\` leaves out the line \`event:\` |
| WebSocket \`/api/v1/ws\` | messages whose \`type\` is that of the event, unless \`"events": "none"\` |

The answer comes as \`chat.completion.chunk\`, as of any chat. An event is a chunk with an empty \`delta\` and the member \`event\`, below its type as
the name of the server-sent event:

\`\`\`text
event: iteration_next
data: {"id":"run_…","object":"chat.completion.chunk","created":1764500000,"model":"…","choices":[{"index":0,"delta":{},"logprobs":null,
       "finish_reason":null}],"event":{"type":"iteration_next","seq":4,"run_id":"run_…","session_id":null,"ts":1764500000123,"node_id":"each",…}}
\`\`\`

Clients should ignore types and members that they do not know. Each \`event\` has its \`type\`, and:

| member | |
| --- | --- |
| \`seq\` | number of the event in its stream, from 0, without gaps |
| \`run_id\` | id of the run; for visitors, and in \`message_end\` of a chat, that of the completion |
| \`session_id\` | the session of a chat; null in streams of runs |
| \`ts\` | milliseconds since 1970 at which it was sent |

## Order

- \`workflow_started\` comes first. \`workflow_finished\` is the last event of a run, unless it waits or is continued by another function.
- Each \`node_started\` is followed by one \`node_finished\` with the same \`execution_key\`, unless the stream ends at a wait. Events inside the node come
  between the two.
- \`iteration_started\` and \`iteration_completed\` come between those of their node, and enclose \`iteration_next\` and the nodes of the passes.
- \`parallel_branch_started\` comes before the nodes of its branch, \`parallel_branch_finished\` after them. Events of branches are mixed.
- At the end of the stream comes \`message_end\`, or \`error\` if the run has failed or is cancelled; then \`data: [DONE]\`.
- A request that is repeated with its \`Idempotency-Key\` gets the events of the run again. Progress inside nodes (${'`agent_thought`, `tool_call_…`, `knowledge_retrieved`'} and
  \`retry\` of a model) is not recorded, and not repeated.

## Visitors

People with a public access token are sent every event without the members ${HIDDEN_FROM_VISITORS.map((name) => `\`${name}\``).join(', ')}, and without the
run's id: values of nodes and questions to the staff belong to the workspace. The tables below mark these members with "no".
`;

function typeSection(type: string, schema: Schema): readonly string[] {
  const rows = memberRows(schema, (name) => !NODE_MEMBERS.includes(name) || isBranch(type));
  const isOfNode = !isBranch(type) && NODE_MEMBERS.every((name) => name in (schema.properties ?? {}));
  return [
    `### ${type}\n`,
    `${schema.description ?? ''}${isOfNode ? ' In addition to the [members of its node](#members-of-events-about-a-node):' : ''}\n`,
    rows.length === 0 ? 'No others.\n' : `${table(HEAD, rows)}\n`,
  ];
}

const isBranch = (type: string) => type.startsWith('parallel_');

function memberRows({ properties = {}, required = [] }: Schema, isWanted: (name: string) => boolean) {
  return Object.entries(properties)
    .filter(([name]) => isWanted(name))
    .map(([name, schema]) => {
      const value = valueOfSchema(schema);
      return [
        `\`${name}\``,
        required.includes(name) || HIDDEN_FROM_VISITORS.includes(name) ? value : `${value}, optional`,
        HIDDEN_FROM_VISITORS.includes(name) ? 'no' : 'yes',
        schema.description ?? '',
      ];
    });
}

function valueOfSchema(schema: Schema): string {
  const { type, const: constant, enum: values, anyOf, items, properties, format } = schema;
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (anyOf) return anyOf.map(valueOfSchema).join(' or ');
  if (typeof type === 'object') return type.map((each) => valueOfSchema({ ...schema, type: each })).join(' or ');
  if (type === 'array') return `list of ${items?.type ? valueOfSchema(items) : 'values'}`;
  if (type === 'object') return properties ? membersOf({ properties }) : 'values by name';
  if (type === 'integer') return 'whole number';
  if (type === 'string') return format === 'date-time' ? 'time' : 'text';
  return type ?? 'any value';
}

function membersOf({ properties = {} }: Schema): string {
  return `{ ${Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(', ')} }`;
}

function exampleOf(name: string): string {
  return readFileSync(new URL(`workflow-events/${name}.txt`, import.meta.url), 'utf8').trimEnd();
}

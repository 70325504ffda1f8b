import * as z from 'zod';
import { nameField } from '../shared/http/name-field.ts';
import { pageQuery } from '../shared/http/page-query.ts';
import { runUsage } from '../shared/stream-events.ts';
import { UUID } from '../shared/uuid.ts';
import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  MAX_ATTEMPTS,
  MAX_CONCURRENCY,
  MAX_RETRY_DELAY_MS,
  MAX_RUNS,
  MAX_STEPS,
  MAX_TIMEOUT_SECONDS,
  TEXT_STYLES,
  VALUE_TYPES,
} from './domain/graph/graph.ts';
import { PRIORITIES } from './domain/run/run.ts';
import { nodeUnion, parsedAs } from './node-schemas.ts';

const name = nameField(100);
const description = z.string().max(1_000);
const values = z.record(z.string(), z.unknown());

const node = z.object({
  id: z.string(),
  type: z.string().describe('One of the node types in docs/workflows/nodes'),
  parent_id: z.string().nullish().describe('The iteration or loop whose body it belongs to'),
  position: z
    .object({ x: z.number(), y: z.number() })
    .meta({ id: 'WorkflowNodePosition', description: 'Where an editor draws it, in pixels' })
    .nullish(),
  data: z
    .strictObject({
      title: z.string().max(200).optional().describe('By default the id'),
      inputs: values.optional().describe('Values by name, with references such as {{node.output}}'),
      config: values.optional(),
      on_error: z
        .enum(['fail', 'default', 'branch'])
        .optional()
        .describe('Its failure ends the run (the default), gives out default_output, or takes the handle "error"'),
      default_output: values.nullish().describe('With on_error "default": its outputs if it fails'),
      retry: z
        .strictObject({
          max_attempts: z.int().min(1).max(MAX_ATTEMPTS).describe('The first one included'),
          delay_ms: z
            .int()
            .min(0)
            .max(MAX_RETRY_DELAY_MS)
            .default(500)
            .describe('Milliseconds before the second attempt'),
          backoff: z
            .enum(['exponential', 'fixed'])
            .default('exponential')
            .describe('exponential: each delay is doubled'),
        })
        .meta({ id: 'WorkflowNodeRetry' })
        .nullish(),
    })
    .default({}),
});

const edge = z
  .object({
    id: z.string().max(200).optional(),
    source: z.string().describe('Id of the node that it leaves'),
    target: z.string().describe('Id of the node that it leads to'),
    sourceHandle: z
      .string()
      .nullish()
      .describe(`The handle at which it leaves its source; by default ${DEFAULT_HANDLE}`),
  })
  .meta({ id: 'WorkflowEdge' });

export const graph = z
  .object({
    version: z.literal(1).default(1),
    nodes: z.array(parsedAs(node, nodeUnion(node))).max(1_000),
    edges: z.array(edge).max(4_000),
    settings: z
      .strictObject({
        max_steps: z.int().min(1).max(MAX_STEPS).default(DEFAULT_SETTINGS.maxSteps),
        timeout_seconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).default(DEFAULT_SETTINGS.timeoutSeconds),
        concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(DEFAULT_SETTINGS.concurrency),
        max_runs: z
          .int()
          .min(1)
          .max(MAX_RUNS)
          .optional()
          .describe('Runs in progress at once: others are queued, by priority, then by age. Absent: any number'),
        max_krw: z.int().min(1).max(100_000_000).optional().describe('A run that costs more fails'),
        max_tokens: z.int().min(1).max(1_000_000_000).optional().describe('A run that uses more tokens fails'),
        text_style: z
          .enum(TEXT_STYLES)
          .optional()
          .describe(
            'How files, lists and objects are written among text, and how `contains` compares; imported files have "dify"',
          ),
      })
      .partial()
      .optional(),
    conversation_variables: z
      .array(
        z.strictObject({
          name: z.string(),
          type: z.enum(VALUE_TYPES),
          default: z.unknown().optional(),
          description: z.string().max(1_000).optional(),
        }),
      )
      .max(100)
      .optional()
      .describe('{{conversation.name}}: kept from one message of a session to the next; an assigner changes them'),
    environment_variables: z
      .array(
        z.strictObject({
          name: z.string(),
          type: z.enum([...VALUE_TYPES, 'secret']),
          value: z.unknown().optional().describe('Of a secret write-only; absent, the stored one stays'),
          is_set: z.boolean().optional().describe('Of a secret in answers; ignored in requests'),
        }),
      )
      .max(100)
      .optional()
      .describe('{{env.name}}: constants. Secrets are stored encrypted, and no answer shows them'),
  })
  .meta({ id: 'WorkflowGraph' });

export const workflowBody = z.strictObject({ name, description: description.default(''), graph });

export const workflowChange = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    graph: graph.optional().describe('The new draft'),
  })
  .meta({ minProperties: 1 });

const uuid = z
  .string()
  .regex(UUID, 'must be the UUID of a workflow')
  .transform((id) => id.toLowerCase());
export const workflowParams = z.object({ id: uuid });
export const versionParams = workflowParams.extend({
  number: z.coerce.number({ error: 'must be the number of a version' }).int().min(1).max(1_000_000),
});
export const runParams = z.object({
  id: z.string().regex(/^run_[0-9A-Z]{26}$/, 'must be the id of a run'),
});

export const cancelRunQuery = z.object({
  erase: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional()
    .describe('true: erases a run that has ended, in place of cancelling one'),
});

export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .regex(/^(\*|(W\/)?"v\d{1,15}")$/, 'must be the ETag of the workflow, as GET answers it')
    .optional()
    .describe('ETag as the client has read it: 409 when the workflow has been changed since'),
});

const shownGraph = z
  .looseObject({ version: z.literal(1), nodes: z.array(values), edges: z.array(values) })
  .meta({ id: 'StoredWorkflowGraph' });
const summary = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  published_version: z.int().nullable().describe('The one that applications run; null before the first'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};
export const workflowSummary = z.object(summary).meta({ id: 'WorkflowSummary' });
export const workflow = z.object({ ...summary, graph: shownGraph.describe('The draft') }).meta({ id: 'Workflow' });
export const workflowsQuery = pageQuery('workflows', 'next_cursor', UUID);
export const workflowPage = z.object({
  workflows: z.array(workflowSummary).describe('Newest first'),
  next_cursor: z.string().nullable(),
});

export const issue = z
  .object({
    node_id: z.string().nullable().describe('Null: of the graph as a whole'),
    field: z.string().nullable(),
    code: z.string().describe('Kind of fault'),
    message: z.string().describe('The fault, and how to fix it; in Korean with `Accept-Language: ko`'),
    severity: z.enum(['error', 'warning']).describe('An error keeps the graph from being published and run'),
  })
  .meta({ id: 'WorkflowIssue' });
export const validation = z.object({ valid: z.boolean(), issues: z.array(issue) });
export const validateBody = z.strictObject({ graph: graph.optional().describe('Absent: the stored draft') });

export const publishBody = z.strictObject({ note: description.default('') });
export const workflowVersion = z
  .object({ number: z.int(), note: z.string(), published_at: z.iso.datetime(), graph: shownGraph.optional() })
  .meta({ id: 'WorkflowVersion' });
export const versionsQuery = pageQuery('versions', 'next_cursor', /^[1-9]\d{0,6}$/);
export const versionPage = z.object({
  versions: z.array(workflowVersion).describe('Newest first, without their graphs'),
  next_cursor: z.string().nullable(),
});

export const runHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .describe('The same key with the same body gives the same run, for 24 hours'),
});
export const priority = z
  .enum(PRIORITIES)
  .describe('Of the runs that wait for a place among settings.max_runs, the highest go first');
export const runBody = z.strictObject({
  inputs: values.default({}).describe('Values of the start node’s fields'),
  query: z.string().max(100_000).default('').describe('{{sys.query}}'),
  files: z.array(z.string().max(8_192)).max(20).default([]).describe('Addresses: {{sys.files}}'),
  version: z
    .union([z.enum(['published', 'draft']), z.int().min(1)])
    .default('published')
    .describe('Which graph runs; by default the published one'),
  pinned: z
    .record(z.string(), values)
    .default({})
    .describe('Outputs by the ids of nodes, which give them out instead of being performed'),
  stream: z.boolean().default(false).describe('Answers with server-sent events'),
  background: z.boolean().default(false).describe('Answers at once with the run’s id: a worker runs it'),
  priority: priority.default('normal'),
});

export const retryBody = z.strictObject({
  from: z.string().max(64).optional().describe('The node to start from; by default the one that failed'),
  version: z
    .union([z.enum(['same', 'published', 'draft']), z.int().min(1)])
    .default('same')
    .describe('Which graph runs; by default that of the run'),
});

export const nodeParams = workflowParams.extend({
  node: z.string().regex(/^[A-Za-z_][\w-]{0,63}$/, 'must be the id of a node'),
});
export const runNodeBody = z.strictObject({
  inputs: values.default({}).describe('Values of the start node’s fields that the node uses'),
  outputs: z
    .record(z.string(), values)
    .default({})
    .describe('Outputs of other nodes, by their ids; of an iteration around the node its `item` and `index`'),
  from_run: runParams.shape.id.optional().describe('A former run whose outputs are used where `outputs` names none'),
  query: z.string().max(100_000).default('').describe('{{sys.query}}'),
  files: z.array(z.string().max(8_192)).max(20).default([]).describe('{{sys.files}}'),
});

const failure = z.object({ code: z.string(), message: z.string(), node_id: z.string().nullable() });
const status = z
  .enum(['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'])
  .describe('queued: for a worker, or for a place among settings.max_runs; waiting: for an approval or a form');
const runTrigger = z.object({
  type: z.enum(['api', 'chat', 'workflow', 'evaluation', 'schedule', 'webhook', 'event']),
  id: z.string().nullable().describe('Of the schedule, webhook or event that started the run; null of a call'),
  retry_of: z.string().nullable().describe('The run whose outputs it has taken over'),
  planned_at: z.iso.datetime().nullable().describe('Of a schedule: the minute that the run was planned for'),
});
export const runSummary = z
  .object({
    id: z.string(),
    workflow_id: z.string(),
    workflow_version: z.int().nullable().describe('Null: the draft'),
    status,
    priority,
    trigger: runTrigger,
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    failure: failure.nullable(),
    usage: runUsage,
  })
  .meta({ id: 'WorkflowRunSummary' });

export const nodeRun = z
  .object({
    execution_key: z.string().describe('The node’s id, behind the passes that it is in'),
    node_id: z.string(),
    node_type: z.string(),
    title: z.string(),
    index: z.int(),
    status: z.enum(['running', 'waiting', 'succeeded', 'failed', 'cancelled']),
    inputs: values.nullable(),
    outputs: values.nullable(),
    values_omitted: z
      .boolean()
      .describe('Inputs or outputs are too large for this list: GET /api/v1/runs/{id}?node=<execution_key> shows them'),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    elapsed_ms: z.int().nullable(),
    attempts: z.int().nullable(),
    usage: runUsage.nullable(),
  })
  .meta({ id: 'WorkflowNodeRun' });

/** Members that pending approvals and forms have in common. */
const pending = {
  execution_key: z.string(),
  title: z.string(),
  message: z.unknown().describe('Of a form with {{$output.<field>}} in the places of its fields'),
  expires_at: z.iso.datetime(),
  url: z.string().describe('Anyone who has it may answer, once, without an account; browsers get a page'),
};
export const formActions = z
  .array(z.object({ id: z.string(), title: z.string() }))
  .describe('The buttons of the form: one of their ids is its action. None: it is only submitted');

export const run = z
  .object({
    ...runSummary.shape,
    answer: z.string().describe('The texts of its answer nodes'),
    outputs: values.describe('What its answer nodes hand out by name'),
    pending_approvals: z.array(z.object(pending)),
    pending_forms: z.array(z.object({ ...pending, fields: z.array(values), actions: formActions })),
    nodes: z.array(nodeRun).describe('In the order in which they started; of more than 1000 the first'),
    nodes_omitted: z.int(),
  })
  .meta({ id: 'WorkflowRun' });

export const runQuery = z.object({
  node: z
    .string()
    .trim()
    .min(1, 'must name an execution')
    .max(500)
    .optional()
    .describe('The execution_key of the only node to show'),
});

export const runsQuery = pageQuery('runs', 'next_cursor', /^run_[0-9A-Z]{26}$/).extend({
  status: status.optional(),
  version: z
    .union([z.literal('draft'), z.coerce.number().int().min(1)], { error: 'must be a number of a version, or draft' })
    .optional(),
  trigger: z
    .string()
    .regex(
      /^(api|chat|workflow|evaluation|schedule|webhook|event|trg_[0-9A-Z]{26})$/,
      'must be a type of triggers, or the id of one',
    )
    .optional(),
  from: z.iso.datetime({ offset: true }).optional().describe('Started at this time or later'),
  to: z.iso.datetime({ offset: true }).optional().describe('Started at this time or before'),
});
export const workspaceRunsQuery = pageQuery('runs', 'next_cursor', /^run_[0-9A-Z]{26}$/).extend({
  status: z.enum(['failed', 'cancelled', 'waiting']).default('failed').describe('waiting: for an approval or a form'),
});
export const runPage = z.object({
  runs: z.array(runSummary).describe('Newest first, for 30 days'),
  next_cursor: z.string().nullable(),
});

export const decisionBody = z.strictObject({
  execution_key: z.string().max(500).optional().describe('Which approval, where the run waits for several'),
  comment: z.string().max(2_000).default(''),
});
export const submitBody = z.strictObject({
  execution_key: z.string().max(500).optional().describe('Which form, where the run waits for several'),
  values: values.default({}).describe('Values of the form’s fields'),
  action: z.string().max(64).optional().describe('Of a form with actions: the id of the chosen one'),
});
export const decided = z.object({
  id: z.string(),
  execution_key: z.string(),
  decision: z.enum(['approved', 'rejected', 'submitted']),
});

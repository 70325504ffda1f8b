import { bucket, queue, table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { retryable } from '../shared/http/implied-errors.ts';
import { managed } from '../shared/http/managed-route.ts';
import { EVENT_BODY_LIMIT, type Route } from '../shared/http/route.ts';
import { perMinute } from '../shared/limits/base-limits.ts';
import { comparedRuns, comparisonQuery } from './comparison-wire.ts';
import { runStreamData } from './event-schemas.ts';
import { runNodes } from './run-access.ts';
import {
  cancelRunQuery,
  decided,
  decisionBody,
  nodeParams,
  retryBody,
  run,
  runBody,
  runHeaders,
  runNodeBody,
  runPage,
  runParams,
  runQuery,
  runSummary,
  runsQuery,
  workflowParams,
  workspaceRunsQuery,
} from './schemas.ts';

/** Of routes that wait for a run. */
export const runsUnderWay = {
  429: retryable(
    'rate_limited: too many requests; too_many_runs: as many runs of the workspace are under way as may be, those within ' +
      'others included. Retry-After says in how many seconds to come back',
  ),
} as const satisfies Route['responses'];
export const runsLimit = perMinute('workflow-runs', 120);

export const runWorkflowRoute = {
  ...managed,
  id: 'workflows.run-workflow',
  method: 'POST',
  path: '/api/v1/workflows/{id}/run',
  role: 'admin',
  doc: {
    summary: 'Run a workflow',
    description:
      'Answers when the run has ended, or with stream: true with its events in the form of a chat’s. A run that waits for ' +
      'an approval, or is longer than one function lives, continues without the client: GET /api/v1/runs/{id} shows it. A run ' +
      'whose client goes away is cancelled, unless it was started with background: true or with an Idempotency-Key: the same key ' +
      'with the same body gives the same run for 24 hours.',
  },
  stream: true,
  params: workflowParams,
  headers: runHeaders,
  body: runBody,
  bodyLimit: EVENT_BODY_LIMIT,
  rateLimits: [{ limit: runsLimit, per: 'caller' }],
  responses: {
    ...runsUnderWay,
    200: {
      description: 'The run, which has ended; with stream: true its events',
      schema: envelopeOf(run),
      events: runStreamData,
    },
    202: { description: 'The run, which continues in the background, or after an approval', schema: envelopeOf(run) },
    409: {
      description:
        'not_published: the workflow has no published version; idempotency_in_progress: the first request with this ' +
        'Idempotency-Key starts its run at this moment',
    },
    422: {
      description:
        'invalid_inputs: the message names the fields; inputs_too_large; invalid_graph: the draft has errors; ' +
        'idempotency_key_reused: the key was used with another body',
    },
  },
  // Below the five minutes after which API Gateway closes a connection that is silent.
  limits: { timeoutSeconds: 290, memoryMb: 512 },
  access: runNodes,
} as const satisfies Route;

export const runNodeRoute = {
  ...managed,
  id: 'workflows.run-node',
  method: 'POST',
  path: '/api/v1/workflows/{id}/nodes/{node}/run',
  role: 'admin',
  doc: {
    summary: 'Run one node of a draft',
    description:
      'With its body, where it has one. What it refers to in other nodes comes from `outputs`, or from a former run; what neither ' +
      'has is empty. It is a run of the workflow like any other.',
  },
  params: nodeParams,
  body: runNodeBody,
  bodyLimit: EVENT_BODY_LIMIT,
  rateLimits: [{ limit: runsLimit, per: 'caller' }],
  responses: {
    ...runsUnderWay,
    200: { description: 'The run, which has ended', schema: envelopeOf(run) },
    202: { description: 'The run, which continues', schema: envelopeOf(run) },
    404: { description: 'not_found; no_such_node: the draft has no such node, or it is the start' },
    422: { description: 'invalid_inputs, inputs_too_large; invalid_graph: the node has errors' },
  },
  limits: { timeoutSeconds: 290, memoryMb: 512 },
  access: runNodes,
} as const satisfies Route;

export const retryRunRoute = {
  ...managed,
  id: 'workflows.retry-run',
  method: 'POST',
  path: '/api/v1/runs/{id}/retry',
  role: 'admin',
  doc: {
    summary: 'Repeat a run from one of its nodes',
    description:
      'Starts a run that takes over what the nodes before it have given out: from the node that failed, or from the one that is ' +
      'named. Their effects are not repeated, and cost nothing again. A worker runs it.',
  },
  params: runParams,
  body: retryBody,
  rateLimits: [{ limit: runsLimit, per: 'caller' }],
  responses: {
    202: { description: 'The new run, which is queued', schema: envelopeOf(runSummary) },
    404: {
      description: 'not_found; no_such_node: from is not a node of the graph outside of bodies; version_not_found',
    },
    409: { description: 'not_ended; nothing_failed: name the node to start from; not_published' },
    422: { description: 'invalid_graph: the draft has errors; inputs_too_large' },
  },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'GetItem'),
    table('runs', 'GetItem', 'PutItem', 'Query'),
    table('workflows', 'GetItem', 'Query'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Route;

export const listRunsRoute = {
  ...managed,
  id: 'workflows.list-runs',
  method: 'GET',
  path: '/api/v1/workflows/{id}/runs',
  doc: { summary: 'The runs of a workflow', description: 'Newest first, for 30 days.' },
  params: workflowParams,
  query: runsQuery,
  responses: { 200: { description: 'A page of runs', schema: envelopeOf(runPage) } },
  access: [
    table('runs', 'BatchGetItem', 'GetItem', 'Query'),
    table('workflows', 'GetItem', 'Query'),
    bucket('runs', 'GetObject'),
  ],
} as const satisfies Route;

export const listWorkspaceRunsRoute = {
  ...managed,
  id: 'workflows.list-workspace-runs',
  method: 'GET',
  path: '/api/v1/workflow-runs',
  doc: {
    summary: 'Failed, cancelled or waiting runs of all workflows',
    description: 'Newest first; those that have ended for 30 days after their end.',
  },
  query: workspaceRunsQuery,
  responses: { 200: { description: 'A page of runs', schema: envelopeOf(runPage) } },
  access: [table('runs', 'BatchGetItem', 'GetItem', 'Query'), bucket('runs', 'GetObject')],
} as const satisfies Route;

export const getRunRoute = {
  ...managed,
  id: 'workflows.get-run',
  method: 'GET',
  path: '/api/v1/runs/{id}',
  doc: {
    summary: 'A run with its nodes',
    description:
      'Inputs, outputs, status, time and cost of every node that has started. Values beyond 1,500,000 characters are omitted: ' +
      'one node alone is shown with all of its values that fit.',
  },
  params: runParams,
  query: runQuery,
  responses: { 200: { description: 'The run', schema: envelopeOf(run) } },
  access: [table('runs', 'GetItem', 'Query'), bucket('runs', 'GetObject')],
} as const satisfies Route;

export const compareRunsRoute = {
  ...managed,
  id: 'workflows.compare-runs',
  method: 'GET',
  path: '/api/v1/runs/{id}/comparison',
  doc: {
    summary: 'Compare a run with another one of its workflow',
    description:
      'Status, time, tokens and cost of every node in both runs, and the members of its inputs and outputs that differ. Secrets stay ' +
      'masked, as in the runs.',
  },
  params: runParams,
  query: comparisonQuery,
  responses: {
    200: { description: 'The comparison', schema: envelopeOf(comparedRuns) },
    404: { description: 'not_found: the message names the missing run' },
    422: { description: 'different_workflows: the runs belong to two workflows' },
  },
  // Both records are in memory at once.
  limits: { timeoutSeconds: 20, memoryMb: 512 },
  access: [table('runs', 'GetItem', 'Query'), bucket('runs', 'GetObject')],
} as const satisfies Route;

export const cancelRunRoute = {
  ...managed,
  id: 'workflows.cancel-run',
  method: 'DELETE',
  path: '/api/v1/runs/{id}',
  role: 'admin',
  doc: {
    summary: 'Cancel a run, or erase an ended one',
    description:
      'What it is doing is ended within about a second. Its record stays for 30 days. With erase=true a run that has ended is ' +
      'erased with its record, and so are the runs within it: without it a late cancellation never erases a result.',
  },
  params: runParams,
  query: cancelRunQuery,
  responses: {
    204: { description: 'Cancelled, or erased' },
    409: { description: 'already_ended; with erase=true not_ended: cancel it first' },
  },
  access: [
    table('runs', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Route;

const decisionResponses = {
  200: { description: 'The decision, with which the run continues', schema: envelopeOf(decided) },
  409: {
    description:
      'not_waiting, already_decided, approval_expired, already_ended; ambiguous_approval: name execution_key',
  },
} as const;

export const approveRunRoute = {
  ...managed,
  id: 'workflows.approve-run',
  method: 'POST',
  path: '/api/v1/runs/{id}/approve',
  role: 'admin',
  doc: { summary: 'Approve what a run waits for', description: 'It continues at the handle "approved".' },
  params: runParams,
  body: decisionBody,
  responses: decisionResponses,
  access: [
    table('runs', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Route;

export const rejectRunRoute = {
  ...managed,
  id: 'workflows.reject-run',
  method: 'POST',
  path: '/api/v1/runs/{id}/reject',
  role: 'admin',
  doc: { summary: 'Reject what a run waits for', description: 'It continues at the handle "rejected".' },
  params: runParams,
  body: decisionBody,
  responses: decisionResponses,
  access: [
    table('runs', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Route;

export const runRoutes: readonly Route[] = [
  runWorkflowRoute,
  runNodeRoute,
  retryRunRoute,
  listRunsRoute,
  listWorkspaceRunsRoute,
  getRunRoute,
  compareRunsRoute,
  cancelRunRoute,
  approveRunRoute,
  rejectRunRoute,
];

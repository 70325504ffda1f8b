import { type Access, table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { managed } from '../shared/http/managed-route.ts';
import { EVENT_BODY_LIMIT, type Route } from '../shared/http/route.ts';
import { evaluateRoutes } from './evaluate-routes.ts';
import { formRoutes } from './form-routes.ts';
import { importBody, imported } from './import-schemas.ts';
import { runRoutes } from './run-routes.ts';
import {
  ifMatchHeader,
  publishBody,
  validateBody,
  validation,
  versionPage,
  versionParams,
  versionsQuery,
  workflow,
  workflowBody,
  workflowChange,
  workflowPage,
  workflowParams,
  workflowsQuery,
  workflowVersion,
} from './schemas.ts';
import { putSourceRoute } from './source-route.ts';
import { triggerRoutes } from './trigger-routes.ts';

/** Channels and members that approvals and forms notify. */
const knowStaff: Access = [table('accounts', 'Query'), table('channels', 'GetItem')];

const etagHeader = { etag: 'Version of the workflow, for If-Match' } as const;
const nameTaken = { description: 'name_taken: the workspace has a workflow of this name' } as const;
const invalidGraph = {
  description: 'invalid_graph: the message names node, field and fix; graph_too_large: more than 300 KB',
} as const;

const graphTooLarge = { description: 'graph_too_large: more than 300 KB' } as const;

export const listWorkflowsRoute = {
  ...managed,
  id: 'workflows.list-workflows',
  method: 'GET',
  path: '/api/v1/workflows',
  doc: { summary: 'The workflows of the workspace', description: 'Newest first, in pages, without their graphs.' },
  query: workflowsQuery,
  responses: { 200: { description: 'A page of workflows', schema: envelopeOf(workflowPage) } },
  access: [table('workflows', 'GetItem', 'Query')],
} as const satisfies Route;

export const createWorkflowRoute = {
  ...managed,
  id: 'workflows.create-workflow',
  method: 'POST',
  path: '/api/v1/workflows',
  role: 'admin',
  doc: {
    summary: 'Create a workflow',
    description:
      'The graph is its draft, which is stored with its faults: POST …/validate lists them. Publishing and running check it as a ' +
      'whole: one start, everything reached, no cycle outside of loops, handles that exist, references that are produced on ' +
      'every way to them, types that fit.',
  },
  body: workflowBody,
  responses: {
    201: { description: 'The workflow', schema: envelopeOf(workflow), headers: etagHeader },
    409: nameTaken,
    422: graphTooLarge,
  },
  access: [table('workflows', 'GetItem', 'PutItem'), 'secrets:seal'],
} as const satisfies Route;

export const importWorkflowRoute = {
  ...managed,
  id: 'workflows.import-workflow',
  method: 'POST',
  path: '/api/v1/workflows/import',
  role: 'admin',
  doc: {
    summary: 'Create a workflow from a Dify DSL file',
    description:
      'The file becomes a draft, also where it has faults: `issues` names them. `to_connect` lists the models, tools, knowledge ' +
      'and secrets that the workspace must provide, `unsupported` the parts that are left out or behave differently from the file, ' +
      '`triggers` its schedules and webhooks, which are switched off. ' +
      'Applications of the modes chat, agent-chat and completion become a graph of one agent.',
  },
  body: importBody,
  bodyLimit: EVENT_BODY_LIMIT,
  responses: {
    201: {
      description: 'The workflow, and what could not be taken over',
      schema: envelopeOf(imported),
      headers: etagHeader,
    },
    409: nameTaken,
    422: { description: 'invalid_dsl: no YAML, or no application; graph_too_large: more than 300 KB' },
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem', 'Query'), ...knowStaff, 'secrets:seal'],
} as const satisfies Route;

export const getWorkflowRoute = {
  ...managed,
  id: 'workflows.get-workflow',
  method: 'GET',
  path: '/api/v1/workflows/{id}',
  doc: { summary: 'One workflow with its draft' },
  params: workflowParams,
  responses: { 200: { description: 'The workflow', schema: envelopeOf(workflow), headers: etagHeader } },
  access: [table('workflows', 'GetItem')],
} as const satisfies Route;

export const changeWorkflowRoute = {
  ...managed,
  id: 'workflows.change-workflow',
  method: 'PATCH',
  path: '/api/v1/workflows/{id}',
  role: 'admin',
  doc: {
    summary: 'Change a workflow',
    description: 'A graph replaces the draft, also where it has faults. With If-Match only as the client has read it.',
  },
  params: workflowParams,
  headers: ifMatchHeader,
  body: workflowChange,
  responses: {
    200: { description: 'The workflow', schema: envelopeOf(workflow), headers: etagHeader },
    409: { description: 'name_taken, or changed: the workflow was changed since the client read it' },
    422: graphTooLarge,
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem'), 'secrets:seal'],
} as const satisfies Route;

export const removeWorkflowRoute = {
  ...managed,
  id: 'workflows.remove-workflow',
  method: 'DELETE',
  path: '/api/v1/workflows/{id}',
  role: 'owner',
  doc: { summary: 'Remove a workflow with its versions', description: 'Runs in progress continue.' },
  params: workflowParams,
  responses: {
    204: { description: 'Removed' },
    409: { description: 'changed: the workflow was changed at the same moment' },
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const validateWorkflowRoute = {
  ...managed,
  id: 'workflows.validate-workflow',
  method: 'POST',
  path: '/api/v1/workflows/{id}/validate',
  role: 'admin',
  doc: {
    summary: 'Everything that is wrong with a graph',
    description: 'Of the body, or of the draft. Nothing is stored.',
  },
  params: workflowParams,
  body: validateBody,
  responses: { 200: { description: 'The issues; none where the graph can be run', schema: envelopeOf(validation) } },
  access: [table('workflows', 'GetItem'), ...knowStaff],
} as const satisfies Route;

export const publishWorkflowRoute = {
  ...managed,
  id: 'workflows.publish-workflow',
  method: 'POST',
  path: '/api/v1/workflows/{id}/versions',
  role: 'admin',
  doc: {
    summary: 'Publish the draft',
    description:
      'It becomes the version that applications run. Runs in progress keep the graph that they started with.',
  },
  params: workflowParams,
  headers: ifMatchHeader,
  body: publishBody,
  responses: {
    201: { description: 'The version', schema: envelopeOf(workflowVersion), headers: etagHeader },
    409: { description: 'changed: the workflow was changed since the client read it, or at the same moment' },
    422: invalidGraph,
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem'), ...knowStaff],
} as const satisfies Route;

export const listVersionsRoute = {
  ...managed,
  id: 'workflows.list-versions',
  method: 'GET',
  path: '/api/v1/workflows/{id}/versions',
  doc: { summary: 'The published versions of a workflow' },
  params: workflowParams,
  query: versionsQuery,
  responses: { 200: { description: 'A page of versions', schema: envelopeOf(versionPage) } },
  access: [table('workflows', 'GetItem', 'Query')],
} as const satisfies Route;

export const getVersionRoute = {
  ...managed,
  id: 'workflows.get-version',
  method: 'GET',
  path: '/api/v1/workflows/{id}/versions/{number}',
  doc: { summary: 'One published version with its graph' },
  params: versionParams,
  responses: { 200: { description: 'The version', schema: envelopeOf(workflowVersion) } },
  access: [table('workflows', 'GetItem')],
} as const satisfies Route;

export const restoreVersionRoute = {
  ...managed,
  id: 'workflows.restore-version',
  method: 'POST',
  path: '/api/v1/workflows/{id}/versions/{number}/restore',
  role: 'admin',
  doc: { summary: 'Make the graph of a version the draft', description: 'It runs once it is published.' },
  params: versionParams,
  responses: {
    200: { description: 'The workflow', schema: envelopeOf(workflow), headers: etagHeader },
    409: { description: 'changed: the workflow was changed at the same moment' },
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem')],
} as const satisfies Route;

export const workflowRoutes: readonly Route[] = [
  listWorkflowsRoute,
  createWorkflowRoute,
  importWorkflowRoute,
  getWorkflowRoute,
  changeWorkflowRoute,
  removeWorkflowRoute,
  validateWorkflowRoute,
  publishWorkflowRoute,
  listVersionsRoute,
  getVersionRoute,
  restoreVersionRoute,
  ...runRoutes,
  putSourceRoute,
  ...evaluateRoutes,
  ...formRoutes,
  ...triggerRoutes,
];

import { bucket, invoke, table } from '../shared/access.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import { browserHeaders } from './auth-schemas.ts';
import { deletionBody, exportParams, exportResult, workspaceChange, workspaceResult } from './workspace-schemas.ts';

const path = '/api/v1/workspace';
/** Function that makes exports. */
export const EXPORT_WORKSPACE = 'accounts.export-workspace';

const deletionPath = `${path}/deletion` as const;
const QUICK = { timeoutSeconds: 20, memoryMb: 256 } as const;

export const getWorkspaceRoute = {
  id: 'accounts.get-workspace',
  method: 'GET',
  path,
  auth: ANY_CREDENTIAL,
  errors: 'envelope',
  doc: { summary: 'The workspace, and how its data is kept' },
  responses: { 200: { description: 'The workspace', schema: workspaceResult } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const changeWorkspaceRoute = {
  id: 'accounts.change-workspace',
  method: 'PATCH',
  path,
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Change the name of the workspace, and how its data is kept',
    description:
      'New settings hold from the next request on. A shorter retention also applies to stored data, within a day, as does ' +
      'keep_images where it is switched off. The other settings leave it as it is.',
  },
  body: workspaceChange,
  responses: {
    200: { description: 'The workspace', schema: workspaceResult },
    409: { description: 'second_factor_missing: enrol your own second factor before you require one of every member' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem')],
} as const satisfies Route;

export const requestDeletionRoute = {
  id: 'accounts.request-deletion',
  method: 'POST',
  path: deletionPath,
  auth: ['jwt', 'cookie'],
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Request the deletion of the workspace',
    description:
      'After 7 days everything of the workspace except its ledger is deleted: members, keys, applications, results, images and ' +
      'documents. Until then everything works, and an owner can cancel the deletion. The owners get a mail. For people only, no keys.',
  },
  headers: browserHeaders,
  body: deletionBody,
  responses: {
    202: { description: 'The workspace, with the time of its deletion', schema: workspaceResult },
    409: { description: 'deletion_requested: it is requested already' },
    422: { description: 'wrong_name: workspace_name is not the name of the workspace' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const cancelDeletionRoute = {
  id: 'accounts.cancel-deletion',
  method: 'DELETE',
  path: deletionPath,
  auth: ['jwt', 'cookie'],
  role: 'owner',
  errors: 'envelope',
  doc: { summary: 'Cancel the deletion of the workspace' },
  headers: browserHeaders,
  responses: {
    204: { description: 'Cancelled' },
    409: { description: 'no_deletion: none is requested; deletion_begun: it is too late' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const startExportRoute = {
  id: 'accounts.start-export',
  method: 'POST',
  path: `${path}/exports`,
  auth: ['jwt', 'cookie'],
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Export everything of the workspace',
    description:
      'Made in the background, 3 times within 24 hours at most, and kept for 3 days. Without secrets, images and the texts of documents. ' +
      'For people only, no keys.',
  },
  headers: browserHeaders,
  responses: {
    202: { description: 'The export, running', schema: exportResult },
    429: { description: 'export_limit: 3 exports within 24 hours; or rate_limited' },
  },
  limits: QUICK,
  access: [
    table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    invoke(EXPORT_WORKSPACE),
  ],
} as const satisfies Route;

export const getExportRoute = {
  id: 'accounts.get-export',
  method: 'GET',
  path: `${path}/exports/{id}`,
  auth: ['jwt', 'cookie'],
  role: 'owner',
  errors: 'envelope',
  doc: { summary: 'An export of the workspace, with its address once it is completed' },
  params: exportParams,
  responses: { 200: { description: 'The export', schema: exportResult } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem'), bucket('exports', 'GetObject')],
} as const satisfies Route;

export const workspaceRoutes: readonly Route[] = [
  getWorkspaceRoute,
  changeWorkspaceRoute,
  requestDeletionRoute,
  cancelDeletionRoute,
  startExportRoute,
  getExportRoute,
];

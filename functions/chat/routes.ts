import { envelopeOf } from '../shared/http/envelope.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import {
  accessTokenBody,
  accessTokenList,
  accessTokenParams,
  application,
  applicationBody,
  applicationChange,
  applicationPage,
  applicationParams,
  applicationsQuery,
  ifMatchHeader,
  newAccessToken,
} from './schemas.ts';

/** What the routes of management have in common. */
const managed = {
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  errors: 'envelope',
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const satisfies Partial<Route>;

const readAccess = { tables: { applications: 'read' } } as const satisfies Route['access'];
const writeAccess = { tables: { applications: 'read-write' } } as const satisfies Route['access'];

const etagHeader = { etag: 'Version of the application, for If-Match' } as const;
const nameTaken = { description: 'name_taken: the workspace has an application of this name' } as const;
const ruleViolated = {
  description: 'A value is not among the allowed ones, or breaks a rule; the message names the field',
} as const;

export const listApplicationsRoute = {
  ...managed,
  id: 'chat.list-applications',
  method: 'GET',
  path: '/api/v1/applications',
  doc: { summary: 'The applications of the workspace', description: 'Newest first, in pages.' },
  query: applicationsQuery,
  responses: { 200: { description: 'A page of applications', schema: envelopeOf(applicationPage) } },
  access: readAccess,
} as const satisfies Route;

export const createApplicationRoute = {
  ...managed,
  id: 'chat.create-application',
  method: 'POST',
  path: '/api/v1/applications',
  role: 'admin',
  doc: {
    summary: 'Create an application',
    description:
      'Without a model it answers with the embedded one, which needs no network. Keys of model providers are stored ' +
      'encrypted and never returned.',
  },
  body: applicationBody,
  responses: {
    201: { description: 'The application', schema: envelopeOf(application), headers: etagHeader },
    409: nameTaken,
    422: ruleViolated,
  },
  access: { ...writeAccess, secrets: 'seal' },
} as const satisfies Route;

export const getApplicationRoute = {
  ...managed,
  id: 'chat.get-application',
  method: 'GET',
  path: '/api/v1/applications/{id}',
  doc: { summary: 'One application' },
  params: applicationParams,
  responses: { 200: { description: 'The application', schema: envelopeOf(application), headers: etagHeader } },
  access: readAccess,
} as const satisfies Route;

export const changeApplicationRoute = {
  ...managed,
  id: 'chat.change-application',
  method: 'PATCH',
  path: '/api/v1/applications/{id}',
  role: 'admin',
  doc: {
    summary: 'Change an application',
    description:
      'With If-Match or updated_at only as the client has read it. Calls that come at the same moment do not mix: one of ' +
      'them is a 409.',
  },
  params: applicationParams,
  headers: ifMatchHeader,
  body: applicationChange,
  responses: {
    200: { description: 'The application', schema: envelopeOf(application), headers: etagHeader },
    409: { description: 'name_taken, or changed: the application was changed since the client read it' },
    422: ruleViolated,
  },
  access: { ...writeAccess, secrets: 'seal' },
} as const satisfies Route;

export const removeApplicationRoute = {
  ...managed,
  id: 'chat.remove-application',
  method: 'DELETE',
  path: '/api/v1/applications/{id}',
  role: 'owner',
  doc: {
    summary: 'Remove an application with its access tokens',
    description: 'Its chat answers 404 from the next request on.',
  },
  params: applicationParams,
  responses: {
    204: { description: 'Removed' },
    409: { description: 'changed: the application was changed at the same moment' },
  },
  access: writeAccess,
} as const satisfies Route;

export const createAccessTokenRoute = {
  ...managed,
  id: 'chat.create-access-token',
  method: 'POST',
  path: '/api/v1/applications/{id}/access-tokens',
  role: 'admin',
  doc: {
    summary: 'Create a public access token',
    description:
      'It stands in the path of the chat in the place of the application’s id, where no other credential is needed. It can ' +
      'do nothing but chat with this application. At most 20 for each.',
  },
  params: applicationParams,
  body: accessTokenBody,
  responses: {
    201: { description: 'The token, shown this once', schema: envelopeOf(newAccessToken) },
    409: { description: 'too_many_tokens: revoke one first' },
  },
  access: writeAccess,
} as const satisfies Route;

export const listAccessTokensRoute = {
  ...managed,
  id: 'chat.list-access-tokens',
  method: 'GET',
  path: '/api/v1/applications/{id}/access-tokens',
  doc: { summary: 'The public access tokens of an application' },
  params: applicationParams,
  responses: { 200: { description: 'The tokens, oldest first', schema: envelopeOf(accessTokenList) } },
  access: readAccess,
} as const satisfies Route;

export const revokeAccessTokenRoute = {
  ...managed,
  id: 'chat.revoke-access-token',
  method: 'DELETE',
  path: '/api/v1/applications/{id}/access-tokens/{token_id}',
  role: 'admin',
  doc: { summary: 'Revoke a public access token', description: 'It is refused from the next request on.' },
  params: accessTokenParams,
  responses: { 204: { description: 'Revoked' } },
  access: writeAccess,
} as const satisfies Route;

export const chatRoutes: readonly Route[] = [
  listApplicationsRoute,
  createApplicationRoute,
  getApplicationRoute,
  changeApplicationRoute,
  removeApplicationRoute,
  createAccessTokenRoute,
  listAccessTokensRoute,
  revokeAccessTokenRoute,
];

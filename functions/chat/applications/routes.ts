import { type Access, table } from '../../shared/access.ts';
import { envelopeOf } from '../../shared/http/envelope.ts';
import { managed } from '../../shared/http/managed-route.ts';
import { EVENT_BODY_LIMIT, type Route } from '../../shared/http/route.ts';
import { applicationParams } from '../schemas.ts';
import {
  application,
  applicationBody,
  applicationChange,
  applicationPage,
  applicationsQuery,
  ifMatchHeader,
} from './schemas.ts';

const etagHeader = { etag: 'Version of the application, for If-Match' } as const;
const nameTaken = { description: 'name_taken: the workspace has an application of this name' } as const;

export const listApplicationsRoute = {
  ...managed,
  id: 'chat.list-applications',
  method: 'GET',
  path: '/api/v1/applications',
  doc: { summary: 'The applications of the workspace', description: 'Newest first, in pages.' },
  query: applicationsQuery,
  responses: { 200: { description: 'A page of applications', schema: envelopeOf(applicationPage) } },
  access: [table('applications', 'GetItem', 'Query')],
} as const satisfies Route;

/** An application's configuration names knowledge bases and workflows, and holds keys of model providers. */
const storeConfig: Access = [
  table('applications', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  table('knowledge', 'BatchGetItem', 'GetItem', 'Query'),
  table('workflows', 'GetItem', 'Query'),
  'secrets:seal',
  'web-search:know',
  'audit',
];

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
  bodyLimit: EVENT_BODY_LIMIT,
  responses: {
    201: { description: 'The application', schema: envelopeOf(application), headers: etagHeader },
    409: nameTaken,
  },
  access: storeConfig,
} as const satisfies Route;

export const getApplicationRoute = {
  ...managed,
  id: 'chat.get-application',
  method: 'GET',
  path: '/api/v1/applications/{id}',
  doc: { summary: 'One application' },
  params: applicationParams,
  responses: { 200: { description: 'The application', schema: envelopeOf(application), headers: etagHeader } },
  access: [table('applications', 'GetItem')],
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
  bodyLimit: EVENT_BODY_LIMIT,
  responses: {
    200: { description: 'The application', schema: envelopeOf(application), headers: etagHeader },
    409: { description: 'name_taken, or changed: the application was changed since the client read it' },
  },
  access: storeConfig,
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
  access: [table('applications', 'DeleteItem', 'GetItem', 'PutItem', 'Query'), 'audit'],
} as const satisfies Route;

export const applicationRoutes: readonly Route[] = [
  listApplicationsRoute,
  createApplicationRoute,
  getApplicationRoute,
  changeApplicationRoute,
  removeApplicationRoute,
];

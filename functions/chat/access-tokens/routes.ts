import { table } from '../../shared/access.ts';
import { envelopeOf } from '../../shared/http/envelope.ts';
import { managed } from '../../shared/http/managed-route.ts';
import type { Route } from '../../shared/http/route.ts';
import { applicationParams } from '../schemas.ts';
import {
  accessToken,
  accessTokenBody,
  accessTokenChange,
  accessTokenList,
  accessTokenParams,
  newAccessToken,
} from './schemas.ts';

export const createAccessTokenRoute = {
  ...managed,
  id: 'chat.create-access-token',
  method: 'POST',
  path: '/api/v1/applications/{id}/access-tokens',
  role: 'admin',
  doc: {
    summary: 'Create a public access token',
    description:
      'It replaces the application’s id in the path of the chat, where no other credential is needed. It can ' +
      'do nothing but chat with this application. Of what visitors send, only text, files and stream count. At most 20 for each.',
  },
  params: applicationParams,
  body: accessTokenBody,
  responses: {
    201: { description: 'The token, shown this once', schema: envelopeOf(newAccessToken) },
    409: { description: 'too_many_tokens: revoke one first' },
  },
  access: [table('applications', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Query'), 'audit'],
} as const satisfies Route;

export const listAccessTokensRoute = {
  ...managed,
  id: 'chat.list-access-tokens',
  method: 'GET',
  path: '/api/v1/applications/{id}/access-tokens',
  doc: { summary: 'The public access tokens of an application' },
  params: applicationParams,
  responses: { 200: { description: 'The tokens, oldest first', schema: envelopeOf(accessTokenList) } },
  access: [table('applications', 'GetItem', 'Query'), table('limits', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const changeAccessTokenRoute = {
  ...managed,
  id: 'chat.change-access-token',
  method: 'PATCH',
  path: '/api/v1/applications/{id}/access-tokens/{token_id}',
  role: 'admin',
  doc: {
    summary: 'Change the name, the origins or the budgets of a public access token',
    description: 'They hold from the next request on. The token itself stays.',
  },
  params: accessTokenParams,
  body: accessTokenChange,
  responses: { 200: { description: 'The token', schema: envelopeOf(accessToken) } },
  access: [table('applications', 'GetItem', 'PutItem', 'UpdateItem'), 'audit'],
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
  access: [table('applications', 'DeleteItem', 'GetItem', 'PutItem'), 'audit'],
} as const satisfies Route;

export const accessTokenRoutes: readonly Route[] = [
  createAccessTokenRoute,
  listAccessTokensRoute,
  changeAccessTokenRoute,
  revokeAccessTokenRoute,
];

import { describe, expect, it } from 'vitest';
import { apiKeyFrom } from '../../../functions/accounts/api-key-authenticator.ts';
import {
  type Authenticator,
  type Authenticators,
  authenticate,
  authorize,
  bearerToken,
  claimOf,
} from '../../../functions/shared/http/authenticate.ts';
import type { Credential, Route } from '../../../functions/shared/http/route.ts';
import type { Principal } from '../../../functions/shared/principal.ts';
import { requestOf } from '../../helpers/http-request.ts';

describe('the API key of a request', () => {
  it.each([
    [{ 'x-api-key': 'tpk_a' }, { rank: 'header', text: 'tpk_a' }],
    [{ 'x-api-key': ' tpk_a ' }, { rank: 'header', text: 'tpk_a' }],
    [{ 'x-api-key': 'not ours' }, { rank: 'header', text: 'not ours' }],
    [{ authorization: 'Bearer tpk_a' }, { rank: 'bearer', text: 'tpk_a' }],
    [{ authorization: 'bearer  tpk_a' }, { rank: 'bearer', text: 'tpk_a' }],
    [
      { 'x-api-key': 'tpk_a', authorization: 'Bearer tpk_b' },
      { rank: 'bearer', text: 'tpk_b' },
    ],
    [{ authorization: 'Bearer eyJ.a.b' }, null],
    [{ authorization: 'Basic dHBrOmE=' }, null],
    [{ authorization: 'tpk_a' }, null],
    [{ authorization: 'Bearer ' }, null],
    [{ 'x-api-key': '' }, null],
    [{}, null],
  ])('of %j is %j', (headers, found) => {
    expect(apiKeyFrom(requestOf({ headers: headers as Record<string, string> }))).toEqual(found);
  });
});

/** Credentials of each kind are good when their text says so. */
const principal = (kind: Principal['kind'], text: string): Principal | null =>
  text.endsWith('good') ? { kind, id: text, workspaceId: 'ws_1', role: 'admin', scopes: ['extraction'] } : null;
const verifying = (kind: Principal['kind'], find: Authenticator['find']): Authenticator => ({
  find,
  verify: async (text) => principal(kind, text),
});
const authenticators: Authenticators = {
  'api-key': verifying('key', apiKeyFrom),
  jwt: verifying('user', (request) => {
    const text = bearerToken(request);
    return text === null || text.startsWith('tpk_') ? null : { rank: 'bearer', text };
  }),
  cookie: verifying('user', ({ cookies: { session } }) =>
    session === undefined ? null : { rank: 'cookie', text: session },
  ),
  'path-token': verifying('public-token', ({ pathParameters: { token } }) =>
    token === undefined ? null : { rank: 'path', text: token },
  ),
};

const ALL: readonly Credential[] = ['cookie', 'api-key', 'jwt', 'path-token'];
const admitted = (
  headers: Record<string, string>,
  route: Pick<Route, 'auth' | 'scope' | 'role'> = { auth: ALL },
  pathParameters?: Record<string, string>,
) =>
  authenticate(route, claimOf(route, requestOf({ headers, ...(pathParameters && { pathParameters }) }), authenticators))
    .then((found) => {
      if (found) authorize(found, { method: 'POST', ...route });
      return found?.id ?? null;
    })
    .catch((error: { status: number }) => error.status);

describe('the strongest credential of a request', () => {
  it.each([
    ['a JWT before an API key', { authorization: 'Bearer good', 'x-api-key': 'tpk_good' }, 'good'],
    [
      'an API key as bearer before another',
      { authorization: 'Bearer tpk_1good', 'x-api-key': 'tpk_2good' },
      'tpk_1good',
    ],
    ['an API key before a cookie', { 'x-api-key': 'tpk_good', cookie: 'session=good' }, 'tpk_good'],
    ['a cookie, when there is nothing else', { cookie: 'a=1; session=good; session=bad' }, 'good'],
    ['a bad JWT, next to any other credential', { authorization: 'Bearer bad', 'x-api-key': 'tpk_good' }, 401],
    ['a bad API key as bearer', { authorization: 'Bearer tpk_bad', 'x-api-key': 'tpk_good' }, 401],
    ['a bad API key before a good cookie', { 'x-api-key': 'tpk_bad', cookie: 'session=good' }, 401],
    ['no credential', {}, 401],
  ])('is %s', async (_, headers, expected) => {
    expect(await admitted(headers)).toBe(expected);
  });

  it('is a bearer token also where the route accepts none: it is bad, and not absent', async () => {
    const headers = { authorization: 'Bearer good', 'x-api-key': 'tpk_good' };
    expect(await admitted(headers, { auth: ['api-key'] })).toBe(401);
    expect(await admitted({ authorization: 'Bearer good' }, { auth: ['api-key'] })).toBe(401);
  });

  it('is the token in a public address, with any placeholder as the bearer token', async () => {
    expect(await admitted({ authorization: 'Bearer unused' }, undefined, { token: 'public-good' })).toBe('public-good');
    expect(await admitted({ authorization: 'Bearer good' }, undefined, { token: 'public-bad' })).toBe(401);
  });

  it('is null on a public route, which takes anything', async () => {
    expect(await admitted({ authorization: 'Bearer bad' }, { auth: [] })).toBe(null);
  });
});

describe('a valid credential', () => {
  it.each([
    [{ auth: ALL, scope: 'extraction' } as const, 'good'],
    [{ auth: ALL, scope: 'chat' } as const, 403],
    [{ auth: ALL, role: 'viewer' } as const, 'good'],
    [{ auth: ALL, role: 'admin' } as const, 'good'],
    [{ auth: ALL, role: 'owner' } as const, 403],
  ])('on a route of %j: %s', async (route, expected) => {
    expect(await admitted({ authorization: 'Bearer good' }, route)).toBe(expected);
  });
});

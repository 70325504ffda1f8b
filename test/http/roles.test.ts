import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { ALL_SCOPES, type Role, type Scope } from '../../functions/shared/principal.ts';
import { examplesOf } from '../../local/events/examples.ts';
import { type ApiAnswer, call } from '../helpers/api.ts';
import { bearer, login, tokensOf } from '../helpers/auth.ts';
import { joinedMember } from '../helpers/members.ts';
import { useService } from '../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';
import { useForeignResources } from '../support/foreign-resources.ts';

/** Every route of the house, with every kind of caller. */

const service = useService();
let mine: TestWorkspace;
beforeAll(async () => {
  mine = await createWorkspace();
});

interface Caller {
  readonly name: string;
  readonly role: Role | null;
  readonly scopes: readonly Scope[];
  readonly isKey: boolean;
}

const person = (role: Role): Caller => ({ name: role, role, scopes: ALL_SCOPES, isKey: false });
const key = (...scopes: readonly Scope[]): Caller => ({
  name: `key of ${scopes.join(' and ')}`,
  role: scopes.length === ALL_SCOPES.length ? 'owner' : 'admin',
  scopes,
  isKey: true,
});
const callers: readonly Caller[] = [
  { name: 'none', role: null, scopes: [], isKey: false },
  ...(['viewer', 'admin', 'owner'] as const).map(person),
  key(...ALL_SCOPES),
  ...ALL_SCOPES.map((scope) => key(scope)),
  key('extraction', 'sandbox'),
];

const RANK: Readonly<Record<Role, number>> = { viewer: 0, admin: 1, owner: 2 };

function expectedRefusal({ auth, scope, role = 'viewer' }: Route, caller: Caller): 401 | 403 | null {
  if (auth.length === 0) return null;
  if (caller.role === null || !auth.includes(caller.isKey ? 'api-key' : 'jwt')) return 401;
  const needed = scope === 'all' ? ALL_SCOPES : scope === undefined ? [] : [scope];
  if (!needed.every((each) => caller.scopes.includes(each))) return 403;
  return RANK[caller.role] < RANK[role] ? 403 : null;
}

type Headers = Readonly<Record<string, string>>;
const made = new Map<string, Headers>();

/** The headers with the credential of a caller. */
async function credentialOf(caller: Caller): Promise<Headers> {
  const known = made.get(caller.name);
  if (known !== undefined) return known;
  const headers = await newCredential(caller);
  made.set(caller.name, headers);
  return headers;
}

async function newCredential({ name, role, scopes, isKey }: Caller): Promise<Headers> {
  if (role === null) return {};
  if (isKey) {
    const answer = await call({ ...service, ...mine }, 'POST', '/api/v1/api-keys', { body: { name, scopes } });
    return { 'x-api-key': (answer.json as { data: { key: string } }).data.key };
  }
  const { access_token } =
    role === 'owner' ? tokensOf(await login(service, mine)) : (await joinedMember(service, mine, role)).tokens;
  return bearer(access_token);
}

/** @param ids of the path's parameters, in their order. */
const pathOf = ({ path }: Route, ids: readonly string[] = []) => {
  const rest = [...ids];
  return path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? 'unknown-1');
};
/** Gets as far as the body, and changes nothing. */
const send = (route: Route, headers: Headers) =>
  call(service, route.method, pathOf(route), { key: null, headers, ...(route.body && { raw: '{' }) });

/** Routes with credentials of people and programs, or without any. */
const ofCallers = routes.filter(({ auth }) => !(auth as readonly string[]).includes('signature'));

describe.each(callers.map((caller) => [caller.name, caller] as const))('%s', (_, caller) => {
  it.each(ofCallers.map((route) => [route.id, route] as const))('%s', async (__, route) => {
    const { status, json } = await send(route, await credentialOf(caller));
    // It has ended the session, as it should.
    if (route.id === 'accounts.logout' && !caller.isKey) made.delete(caller.name);
    const refusal = expectedRefusal(route, caller);
    if (refusal === null) return expect([401, 403]).not.toContain(status);
    expect(status).toBe(refusal);
    expect(JSON.stringify(json)).toMatch(refusal === 401 ? /API key|access token|credential/ : /role|scope|narrowed/);
  });
});

describe('another workspace’s', () => {
  const theirs = useForeignResources(service);

  // An unguessable link authorises on its own for any role.
  const found = ofCallers.filter(({ path, auth }) => path.includes('{') && auth.length > 0);
  it.each(found.map((route) => [route.id, route] as const))('%s is a 404, as if there were none', async (id, route) => {
    const make = theirs.resources[id];
    if (make === undefined) throw new Error(`${id} needs a resource of another workspace here.`);
    const ids = [await make()].flat();
    // The number of a version is not a secret: that of the workflow before it is.
    const at = ids.findLastIndex((part) => part.length > 3);
    const name = ids[at]!;
    const { body: example } = ((await examplesOf(route))[0] ?? {}) as { body?: object };
    const body = { ...example, stream: undefined };
    const ask = async (headers: Headers, path: readonly string[]): Promise<ApiAnswer> => {
      const sent = { key: null, headers, ...(route.body && { body }) };
      // A comparison names a second run, which may be the same.
      const query = id === 'workflows.compare-runs' ? `?with=${path[0]}` : '';
      const answer = await call(service, route.method, pathOf(route, path) + query, sent);
      if (answer.status !== 429) return answer;
      // One owner asks all the chats here, which share a limit.
      await sleep(Number(answer.headers.get('retry-after')) * 1000);
      return ask(headers, path);
    };
    const owner = await credentialOf(person('owner'));
    const foreign = await ask(owner, ids);
    expect(foreign.status).toBe(404);
    const unknownName = `${name.slice(0, -1)}${name.endsWith('0') ? '1' : '0'}`;
    const unknown = await ask(owner, ids.with(at, unknownName));
    const textOf = (json: unknown, part: string) =>
      JSON.stringify(json)
        .replaceAll(part, '…')
        .replaceAll(/"requestId":"[^"]+"/g, '');
    expect(textOf(foreign.json, name)).toBe(textOf(unknown.json, unknownName));
    // It is still there for who owns it.
    const whose = route.auth.includes('api-key') ? { 'x-api-key': theirs.apiKey } : await theirs.owner();
    const { status } = await ask(whose, ids);
    // A response that is there is complete, and cannot be cancelled.
    if (route.id === 'chat.cancel-response') expect(status).toBe(400);
    else expect(status).toBeLessThan(300);
  });
});

describe('the route table', () => {
  it('lets viewers read all but conversations, and write nothing but what concerns their own session', () => {
    // A message may call any tool: each call needs the role of its route.
    const open = ['knowledge.search-knowledge', 'mcp.post-message'];
    const beyond = ['chat.list-conversations', 'chat.list-messages', 'channels.list-dead-letters'];
    for (const { id, auth, method, role } of routes)
      if (auth.includes('api-key'))
        expect([id, role !== undefined]).toEqual([id, (method !== 'GET' && !open.includes(id)) || beyond.includes(id)]);
  });

  it('keeps money and keys to owners', () => {
    const owners = routes.filter(({ role }) => role === 'owner').map(({ id }) => id);
    for (const id of [
      'accounts.change-balance',
      'accounts.top-up',
      'accounts.create-api-key',
      'accounts.revoke-api-key',
      'accounts.set-budget',
      'accounts.remove-budget',
    ] as const)
      expect(owners).toContain(id);
  });
});

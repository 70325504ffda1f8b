import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { laneOwner } from '../../functions/channels/domain/accept-webhook.ts';
import { deadLetterOf, laneRefOf } from '../../functions/channels/domain/delivery/lane-runs.ts';
import { channels, lanes } from '../../functions/channels/wiring.ts';
import { routes } from '../../functions/routes.ts';
import { newExecution } from '../../functions/sandbox/domain/execution.ts';
import { executions } from '../../functions/sandbox/wiring.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { ALL_SCOPES, type Role, type Scope } from '../../functions/shared/principal.ts';
import { examplesOf } from '../../local/events/examples.ts';
import { type ApiAnswer, call, extractWhenFree, uploadCall } from '../helpers/api.ts';
import { bearer, login, tokensOf } from '../helpers/auth.ts';
import { refillLimits } from '../helpers/limits.ts';
import { joinedMember } from '../helpers/members.ts';
import { oneLinePage } from '../helpers/page-images.ts';
import { useService } from '../helpers/service.ts';
import { type ToolServer, toolServer } from '../helpers/tool-servers.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

/** Every route of the house, with every kind of caller. */

const service = useService();
let mine: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  mine = await createWorkspace();
  other = await createWorkspace();
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
  /** Resources of `other`, by the route that finds them. */
  const resources: Readonly<Record<string, () => Promise<string | readonly string[]>>> = {
    'accounts.revoke-api-key': async () => {
      const body = { name: 'theirs' };
      const answer = await call({ ...service, ...other }, 'POST', '/api/v1/api-keys', { body });
      return (answer.json as { data: { id: string } }).data.id;
    },
    'accounts.end-session': async () => {
      const headers = await ownerOfOther();
      const { json } = await call(service, 'GET', '/api/v1/auth/sessions', { key: null, headers });
      return (json as { data: { id: string }[] }).data[0]!.id;
    },
    'accounts.set-budget': async () => ['key', (await newBudget()).id],
    'accounts.remove-budget': async () => ['key', (await newBudget()).id],
    'accounts.change-member': newMember,
    'accounts.remove-member': newMember,
    'accounts.get-export': async () => {
      const headers = await ownerOfOther();
      const { json } = await call(service, 'POST', '/api/v1/workspace/exports', { key: null, headers });
      return (json as { data: { id: string } }).data.id;
    },
    'extraction.get-job': newJob,
    'extraction.remove-job': newJob,
    'extraction.get-extraction': () => newExtraction(),
    'extraction.remove-extraction': () => newExtraction(),
    'extraction.put-review': () => newExtraction(),
    'extraction.get-picture': async () => newExtraction({ imageUrl: await newUpload() }),
    'extraction.remove-picture': async () => newExtraction({ imageUrl: await newUpload() }),
    'chat.get-application': newApplication,
    'chat.change-application': newApplication,
    'chat.remove-application': newApplication,
    'chat.create-access-token': newApplication,
    'chat.list-access-tokens': newApplication,
    'chat.change-access-token': newAccessToken,
    'chat.revoke-access-token': newAccessToken,
    'chat.list-conversations': newApplication,
    'chat.list-messages': async () => (await newConversation()).slice(0, 2),
    'chat.remove-conversation': async () => (await newConversation()).slice(0, 2),
    'chat.rate-message': newConversation,
    'chat.complete-chat': newApplication,
    'chat.create-response': newApplication,
    'chat.get-response': newResponse,
    'chat.remove-response': newResponse,
    'chat.create-embeddings': newEmbeddingApplication,
    'chat.list-models': newApplication,
    'chat.get-model': async () => [await newApplication(), 'embedded'],
    'knowledge.get-knowledge-base': () => newBase(),
    'knowledge.change-knowledge-base': () => newBase(),
    'knowledge.remove-knowledge-base': () => newBase(),
    'knowledge.create-document-upload': () => newBase(),
    'knowledge.add-document': () => newBase(),
    'knowledge.list-documents': () => newBase(),
    'knowledge.get-document': newDocument,
    'knowledge.replace-document': newDocument,
    'knowledge.remove-document': newDocument,
    'knowledge.search-knowledge': () => newBase(),
    'knowledge.add-source': () => newBase(),
    'knowledge.list-sources': () => newBase(),
    'knowledge.get-source': newSource,
    'knowledge.remove-source': newSource,
    'channels.get-channel': newChannel,
    'channels.change-channel': newChannel,
    'channels.test-channel': newChannel,
    'channels.remove-channel': newChannel,
    'channels.replay-dead-letter': newDeadLetter,
    'channels.remove-dead-letter': newDeadLetter,
    'workflows.get-workflow': () => newWorkflow(),
    'workflows.change-workflow': () => newWorkflow(),
    'workflows.remove-workflow': () => newWorkflow(),
    'workflows.validate-workflow': () => newWorkflow(),
    'workflows.publish-workflow': () => newWorkflow(),
    'workflows.list-versions': () => newWorkflow(),
    'workflows.get-version': async () => [await newWorkflow(), '1'],
    'workflows.restore-version': async () => [await newWorkflow(), '1'],
    'workflows.run-workflow': () => newWorkflow(),
    'workflows.run-node': async () => [await newWorkflow(), 'end'],
    'workflows.list-runs': () => newWorkflow(),
    'workflows.get-run': () => newRun(),
    'workflows.compare-runs': () => newRun(),
    'workflows.cancel-run': () => newRun(),
    'workflows.approve-run': () => newRun(),
    'workflows.reject-run': () => newRun(),
    'workflows.put-source': () => newWorkflow(),
    'workflows.evaluate-workflow': () => newWorkflow(),
    'workflows.retry-run': newFailedRun,
    'workflows.submit-run': () => newRun('human_input'),
    'workflows.list-triggers': () => newWorkflow(),
    'workflows.create-trigger': () => newWorkflow(),
    'workflows.change-trigger': newTrigger,
    'workflows.remove-trigger': newTrigger,
    'sandbox.get-execution': newRecordedExecution,
    'sandbox.cancel-execution': newRecordedExecution,
    'sandbox.list-session': async () => sessionOf(await newRecordedExecution()),
    'sandbox.remove-session': async () => sessionOf(await newRecordedExecution()),
  };
  const uniqueName = () => ulidIds.next('name');

  /** The budget of a new key. */
  async function newBudget(): Promise<{ readonly id: string }> {
    const theirs = { ...service, ...other };
    const made = await call(theirs, 'POST', '/api/v1/api-keys', { body: { name: uniqueName() } });
    const { id } = (made.json as { data: { id: string } }).data;
    await call(theirs, 'PUT', `/api/v1/budgets/key/${id}`, { body: { krw_per_day: 1_000 } });
    return { id };
  }

  async function newExtraction(body?: object): Promise<string> {
    const read = body ?? { image: (await oneLinePage()).toString('base64') };
    return ((await extractWhenFree(service, other, read)).json as { requestId: string }).requestId;
  }

  async function newUpload(): Promise<string> {
    const headers = { 'content-type': 'image/png' };
    const { json } = await uploadCall(service, other, { contentType: headers['content-type'] });
    const { uploadUrl, imageUrl } = json as { uploadUrl: string; imageUrl: string };
    await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(await oneLinePage()) });
    return imageUrl;
  }

  async function newApplication(): Promise<string> {
    const body = { name: uniqueName(), type: 'chat' };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/applications', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  /** An application whose knowledge base has an embedding model. */
  async function newEmbeddingApplication(): Promise<string> {
    vectors ??= await toolServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }));
    });
    const embedding = { provider: 'openai-compatible', model: 'm', base_url: vectors.url };
    const body = { name: uniqueName(), type: 'chat', config: { knowledge_bases: [await newBase({ embedding })] } };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/applications', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  let vectors: ToolServer | undefined;
  afterAll(() => vectors?.stop());

  async function newBase(more: object = {}): Promise<string> {
    const body = { name: uniqueName(), ...more };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/knowledge-bases', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  /** Ids of an application and of a token of it. */
  async function newAccessToken(): Promise<[string, string]> {
    const id = await newApplication();
    const path = `/api/v1/applications/${id}/access-tokens`;
    const answer = await call({ ...service, ...other }, 'POST', path, { body: {} });
    return [id, (answer.json as { data: { id: string } }).data.id];
  }

  /** Ids of a knowledge base and of a document in it. */
  async function newDocument(): Promise<[string, string]> {
    const base = await newBase();
    const body = { title: 'theirs', text: 'x' };
    const answer = await call({ ...service, ...other }, 'POST', `/api/v1/knowledge-bases/${base}/documents`, { body });
    return [base, (answer.json as { data: { id: string } }).data.id];
  }

  /** Ids of a knowledge base and of a source of it. */
  async function newSource(): Promise<[string, string]> {
    const base = await newBase();
    const body = { type: 's3', prefix: 'theirs/' };
    const answer = await call({ ...service, ...other }, 'POST', `/api/v1/knowledge-bases/${base}/sources`, { body });
    return [base, (answer.json as { data: { id: string } }).data.id];
  }

  async function newChannel(): Promise<string> {
    const body = {
      ...{ name: 'theirs', type: 'custom', application_id: await newApplication() },
      secrets: { signing_secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
      settings: { url: 'https://example.com/hook' },
    };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/channels', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  /** A message to a channel whose application is removed, given up. */
  async function newDeadLetter(): Promise<string> {
    const channelId = await newChannel();
    const channel = (await channels().find(channelId))!;
    const conversationId = 'c';
    const lane = { channelId, direction: 'inbound', priority: null, conversationId } as const;
    const message = {
      ...{ eventId: 'e', conversationId, sender: { id: 'p', name: null }, text: 'Hello' },
      ...{ attachments: [], replyTo: {}, place: 'direct' as const },
    };
    const queued = { messageId: 'msg_1', receivedAtMs: systemClock.now(), message };
    await lanes().accept(lane, laneOwner(channel), queued);
    const untilMs = systemClock.now() + 60_000;
    const acquired = await lanes().acquire(laneRefOf(lane), 'run', systemClock.now(), untilMs);
    if (acquired.kind !== 'acquired') throw new Error(acquired.kind);
    const letter = deadLetterOf(
      acquired.lane,
      { reason: 'test', detail: null, attempts: 1 },
      { ids: ulidIds, clock: systemClock },
    );
    await lanes().buryHead(acquired.lane, letter);
    return letter.deadLetterId;
  }

  /** A published one, whose runs wait for an approval. */
  async function newWorkflow(waiting: 'approval' | 'human_input' = 'approval'): Promise<string> {
    const fields = [{ name: 'name', type: 'text' }];
    const nodes = [
      { id: 'start', type: 'start', data: { config: { fields: [{ name: 'name', type: 'text', required: false }] } } },
      { id: 'ask', type: waiting, data: { config: { message: '?', ...(waiting === 'human_input' && { fields }) } } },
      { id: 'end', type: 'template', data: { config: { template: 'done' } } },
    ];
    const edges = [
      { source: 'start', target: 'ask' },
      { source: 'ask', target: 'end', sourceHandle: waiting === 'approval' ? 'approved' : 'out' },
    ];
    const graph = { nodes, edges };
    const theirs = { ...service, ...other };
    const answer = await call(theirs, 'POST', '/api/v1/workflows', { body: { name: uniqueName(), graph } });
    const { id } = (answer.json as { data: { id: string } }).data;
    await call(theirs, 'POST', `/api/v1/workflows/${id}/versions`, { body: {} });
    return id;
  }

  async function newTrigger(): Promise<[string, string]> {
    const id = await newWorkflow();
    const body = { name: 'theirs', type: 'event', event: 'batch.completed' };
    const path = `/api/v1/workflows/${id}/triggers`;
    const answer = await call({ ...service, ...other }, 'POST', path, { body });
    return [id, (answer.json as { data: { id: string } }).data.id];
  }

  async function newFailedRun(): Promise<string> {
    const id = await newRun();
    await call({ ...service, ...other }, 'DELETE', `/api/v1/runs/${id}`);
    const find = async () => {
      const { json } = await call({ ...service, ...other }, 'GET', `/api/v1/runs/${id}`);
      return (json as { data: { status: string } }).data.status;
    };
    await expect.poll(find, { timeout: 20_000 }).toBe('cancelled');
    return id;
  }

  async function newRun(waiting?: 'human_input'): Promise<string> {
    const path = `/api/v1/workflows/${await newWorkflow(waiting)}/run`;
    return ((await call({ ...service, ...other }, 'POST', path, { body: {} })).json as { data: { id: string } }).data
      .id;
  }

  /** Ids of an application, a conversation with it and the answer in it. */
  async function newConversation(): Promise<[string, string, string]> {
    await refillLimits();
    const id = await newApplication();
    const theirs = { ...service, ...other };
    const answer = await call(theirs, 'POST', `/api/v1/chat/${id}/chat/completions`, {
      headers: { 'x-session-id': 'session-1' },
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    });
    const listed = await call(theirs, 'GET', `/api/v1/applications/${id}/conversations`);
    const { conversations } = (listed.json as { data: { conversations: [{ id: string }] } }).data;
    return [id, conversations[0].id, (answer.json as { id: string }).id];
  }

  async function newResponse(): Promise<[string, string]> {
    await refillLimits();
    const id = await newApplication();
    const path = `/api/v1/chat/${id}/responses`;
    const answer = await call({ ...service, ...other }, 'POST', path, { body: { input: 'Hello' } });
    return [id, (answer.json as { id: string }).id];
  }

  const sessionOf = (executionId: string) => `session-${executionId}`;

  async function ownerOfOther(): Promise<Record<string, string>> {
    return bearer(tokensOf(await login(service, other)).access_token);
  }

  async function newJob(): Promise<string> {
    const body = { images: ['AAAA'] };
    const path = '/api/v1/edi-extract-lite/extract-batch-async';
    return ((await call({ ...service, ...other }, 'POST', path, { body })).json as { jobId: string }).jobId;
  }

  async function newMember(): Promise<string> {
    return (await joinedMember(service, other, 'viewer')).id;
  }

  async function newRecordedExecution(): Promise<string> {
    const id = { workspaceId: other.workspaceId, executionId: ulidIds.next('exec') };
    const request = { language: 'python', sessionId: sessionOf(id.executionId) };
    const lease = { ...id, fence: 'test' };
    const execution = newExecution(id, request, 'running', systemClock.now());
    await executions().create({ execution, lease, leaseUntilMs: systemClock.now() + 600_000 });
    return id.executionId;
  }

  // An unguessable link authorises on its own for any role.
  const found = ofCallers.filter(({ path, auth }) => path.includes('{') && auth.length > 0);
  it.each(found.map((route) => [route.id, route] as const))('%s is a 404, as if there were none', async (id, route) => {
    const make = resources[id];
    if (make === undefined) throw new Error(`${id} needs a resource of another workspace here.`);
    const ids = [await make()].flat();
    // The number of a version is no secret: that of the workflow before it is.
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
    const theirs = route.auth.includes('api-key') ? { 'x-api-key': other.apiKey } : await ownerOfOther();
    expect((await ask(theirs, ids)).status).toBeLessThan(300);
  });
});

describe('the route table', () => {
  it('lets viewers read all but conversations, and write nothing but what concerns their own session', () => {
    const searches = ['knowledge.search-knowledge'];
    const beyond = ['chat.list-conversations', 'chat.list-messages', 'channels.list-dead-letters'];
    for (const { id, auth, method, role } of routes)
      if (auth.includes('api-key'))
        expect([id, role !== undefined]).toEqual([
          id,
          (method !== 'GET' && !searches.includes(id)) || beyond.includes(id),
        ]);
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

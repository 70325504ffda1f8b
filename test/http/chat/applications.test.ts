import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { applicationKey } from '../../../functions/adapters/dynamodb/keys.ts';
import { DynamoTable } from '../../../functions/adapters/dynamodb/table.ts';
import { accessTokenList } from '../../../functions/chat/access-tokens/schemas.ts';
import { applicationPage } from '../../../functions/chat/applications/schemas.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call } from '../../helpers/api.ts';
import {
  APPLICATIONS_PATH,
  applicationOf,
  applicationPath,
  changeCall,
  complete,
  createApplication,
  createCall,
  createToken,
  dataOf,
  refusalOf,
  tokensPath,
} from '../../helpers/chat.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
const UNKNOWN = '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';
const SECRET = 'sk-the-key-of-a-provider';
const remote = { provider: 'openai-compatible', name: 'm', base_url: 'https://models.example.com/v1' };

const stored = async (id: string, workspaceId = service.workspaceId) =>
  new DynamoTable(dynamoClient(), environment('APPLICATIONS_TABLE').APPLICATIONS_TABLE).get(
    applicationKey(workspaceId, id),
  );

it('an application that another function changed or deleted answers as it is now, at once', async () => {
  const { id } = await createApplication(service);
  const ask = async () => (await complete(service, id, {})).json as { model: string };
  expect((await ask()).model).toBe('embedded');
  // Behind the service's back, as another function does it.
  const table = new DynamoTable(dynamoClient(), environment('APPLICATIONS_TABLE').APPLICATIONS_TABLE);
  const item = (await stored(id)) as { config: { model: object } };
  const at = applicationKey(service.workspaceId, id);
  await table.put({ ...item, ...at, config: { ...item.config, model: { ...item.config.model, name: 'renamed' } } });
  expect((await ask()).model).toBe('renamed');
  await table.delete(at);
  expect((await complete(service, id, {})).status).toBe(404);
});

it('keeps the vendor’s own parameters and those to omit, and refuses members of a request that are the service’s', async () => {
  const model = { provider: 'openai-compatible', name: 'm', base_url: 'https://models.example/v1' };
  const sent = { ...model, extra_body: { top_k: 40 }, omit_parameters: ['temperature'] };
  const { config } = await createApplication(service, { config: { model: sent } });
  expect(config.model).toMatchObject({ extra_body: { top_k: 40 }, omit_parameters: ['temperature'] });
  const refused = async (more: object) =>
    refusalOf(await createCall(service, { name: 'x', type: 'chat', config: { model: { ...model, ...more } } }));
  expect((await refused({ extra_body: { messages: [] } }))[1]).toContain('extra_body: must not hold model, messages');
  expect((await refused({ extra_body: { a: 'x'.repeat(10_001) } }))[1]).toContain('at most 10000 characters');
  expect((await refused({ omit_parameters: ['messages'] }))[0]).toBe(422);
  expect((await refused({ provider: 'embedded', base_url: null, extra_body: { a: 1 } }))[1]).toContain('embedded');
});

describe('POST /api/v1/applications', () => {
  it('creates one with the embedded model and every default', async () => {
    const answer = await createCall(service, { name: ' Support ', type: 'chat' });
    expect(answer.status).toBe(201);
    const created = applicationOf(answer);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Support',
      type: 'chat',
      description: '',
      config: {
        model: {
          ...{ provider: 'embedded', name: 'embedded', base_url: null, has_api_key: false },
          ...{ timeout: 60, context_window: 128_000, extra_body: {}, omit_parameters: [], fallbacks: [] },
          ...{ max_tokens_parameter: null, transcription_model: null },
        },
        ...{ system_prompt: null, temperature: 0.7, top_p: null, max_tokens: null, history_tokens: 8_000 },
        knowledge_bases: [],
        tools: [],
        stream_start: 'first_part',
        workflow_id: null,
        mcp: { enabled: false, name: null, description: null },
      },
      created_at: expect.any(String),
      updated_at: created.created_at,
    });
    expect(answer.headers.get('location')).toBe(applicationPath(created.id));
    const found = await call(service, 'GET', applicationPath(created.id.toUpperCase()));
    expect(applicationOf(found)).toEqual(created);
    expect(found.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  it.each([
    ['no name', { type: 'chat' }, 400, 'name:'],
    ['an empty name', { name: '  ', type: 'chat' }, 400, 'name: must not be empty'],
    ['no type', { name: 'n' }, 400, 'type:'],
    ['another type', { name: 'n', type: 'robot' }, 422, 'type:'],
    ['an unknown member', { name: 'n', type: 'chat', color: 'red' }, 400, 'color: is not known here'],
    ['an unknown member within', { name: 'n', type: 'chat', config: { color: 1 } }, 400, 'config.color'],
    ['temperature 2.1', { name: 'n', type: 'chat', config: { temperature: 2.1 } }, 422, 'config.temperature'],
    ['no base_url', model({ provider: 'openai-compatible', name: 'm' }), 422, 'config.model.base_url: is needed'],
    ['a base_url of bedrock', model({ ...remote, provider: 'bedrock' }), 422, 'config.model.base_url: does not apply'],
    ['plain http', model({ ...remote, base_url: 'http://models.example.com' }), 422, 'must start with https://'],
    ['a private address', model({ ...remote, base_url: 'https://10.0.0.1/v1' }), 422, 'not on the public internet'],
    ['metadata', model({ ...remote, base_url: 'https://169.254.169.254/' }), 422, 'not on the public internet'],
    ['a password', model({ ...remote, base_url: 'https://u:p@models.example.com' }), 422, 'user name or password'],
    ['a key with a line break', model({ ...remote, api_key: 'a\r\nb' }), 422, 'visible ASCII'],
    ['four fallbacks', model({ ...remote, fallbacks: [remote, remote, remote, remote] }), 422, 'at most 3'],
    ['a broken fallback', model({ ...remote, fallbacks: [{ provider: 'x' }] }), 422, 'fallbacks.0.provider'],
  ])('refuses %s', async (_, body, status, text) => {
    const [refused, message] = refusalOf(await createCall(service, body));
    expect([refused, message]).toEqual([status, expect.stringContaining(text)]);
  });

  it('takes a loopback address on a local service', async () => {
    const body = model({ ...remote, base_url: 'http://127.0.0.1:11434/v1/' });
    expect(applicationOf(await createCall(service, { ...body, name: 'Local' })).config.model.base_url).toBe(
      'http://127.0.0.1:11434/v1',
    );
  });

  it('refuses a name that the workspace has, and another workspace may take it', async () => {
    await createApplication(service, { name: 'Taken' });
    expect(refusalOf(await createCall(service, { name: 'Taken', type: 'chat' }))).toEqual([
      409,
      expect.stringContaining('"Taken"'),
    ]);
    const other = await createWorkspace();
    expect((await createCall({ ...service, ...other }, { name: 'Taken', type: 'chat' })).status).toBe(201);
  });

  it('of two calls at once with one name, creates one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => createCall(service, { name: 'Race', type: 'chat' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('keys of model providers', () => {
  const fallbacks = [{ ...remote, name: 'second', api_key: `${SECRET}-2` }];

  it('are encrypted where they are stored, and never returned', async () => {
    const created = await createApplication(service, { config: { model: { ...remote, api_key: SECRET, fallbacks } } });
    expect(created.config.model).toMatchObject({ has_api_key: true, fallbacks: [{ has_api_key: true }] });
    const listed = await call(service, 'GET', APPLICATIONS_PATH);
    expect(JSON.stringify([created, listed.json, await stored(created.id)])).not.toContain(SECRET);
    expect(await readFile(join(service.dataDir, 'secrets.key'), 'utf8')).not.toContain(SECRET);
  });

  it('stay when the model changes at the same server, and go when the server changes', async () => {
    const { id } = await createApplication(service, { config: { model: { ...remote, api_key: SECRET } } });
    const sealed = async () => (await stored(id))!.config as { model: { apiKey: string | null } };
    const before = (await sealed()).model.apiKey;
    applicationOf(await changeCall(service, id, { config: { model: { ...remote, name: 'newer' } } }));
    expect((await sealed()).model.apiKey).toBe(before);
    const elsewhere = { ...remote, base_url: 'https://thief.example.com/v1' };
    const changed = applicationOf(await changeCall(service, id, { config: { model: elsewhere } }));
    expect(changed.config.model.has_api_key).toBe(false);
    expect((await sealed()).model.apiKey).toBeNull();
  });

  it('go when they are sent as null', async () => {
    const { id } = await createApplication(service, { config: { model: { ...remote, api_key: SECRET } } });
    const changed = applicationOf(await changeCall(service, id, { config: { model: { ...remote, api_key: null } } }));
    expect(changed.config.model.has_api_key).toBe(false);
  });
});

describe('PATCH /api/v1/applications/{id}', () => {
  it('a PATCH changes the given members, and leaves the rest', async () => {
    const config = { system_prompt: 'Be brief.', temperature: null };
    const before = await createApplication(service, { description: 'old', config });
    const changed = applicationOf(
      await changeCall(service, before.id, { description: 'new', config: { top_p: 0.5, system_prompt: null } }),
    );
    expect(changed).toEqual({
      ...before,
      description: 'new',
      config: { ...before.config, top_p: 0.5, system_prompt: null },
      updated_at: expect.any(String),
    });
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  it('refuses a change of what the client has not seen: 409', async () => {
    const before = await createApplication(service);
    const etag = (await call(service, 'GET', applicationPath(before.id))).headers.get('etag')!;
    expect((await changeCall(service, before.id, { description: '1' }, { 'if-match': etag })).status).toBe(200);
    for (const stale of [
      await changeCall(service, before.id, { description: '2' }, { 'if-match': etag }),
      await changeCall(service, before.id, { description: '2', updated_at: before.updated_at }),
    ])
      expect(refusalOf(stale)).toEqual([409, expect.stringContaining('changed since you read it')]);
    expect((await changeCall(service, before.id, { description: '3' }, { 'if-match': '*' })).status).toBe(200);
    expect(refusalOf(await changeCall(service, before.id, {}, { 'if-match': 'v1' }))[0]).toBe(400);
  });

  it('mixes no two changes that come at once', async () => {
    const { id } = await createApplication(service);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => changeCall(service, id, { description: `${n}`, config: { history_tokens: n } })),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { description, config } = applicationOf(await call(service, 'GET', applicationPath(id)));
    expect(description).toBe(`${config.history_tokens}`);
  });

  it('renames: the old name is free, a taken one is refused', async () => {
    const first = await createApplication(service, { name: 'First' });
    await createApplication(service, { name: 'Second' });
    expect(refusalOf(await changeCall(service, first.id, { name: 'Second' }))[0]).toBe(409);
    expect((await changeCall(service, first.id, { name: 'Third' })).status).toBe(200);
    expect((await createCall(service, { name: 'First', type: 'workflow' })).status).toBe(201);
  });
});

describe('GET /api/v1/applications', () => {
  it('lists those of the workspace, newest first, in pages', async () => {
    const workspace = { ...service, ...(await createWorkspace()) };
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await createApplication(workspace)).id);
    const page = async (query: string) =>
      dataOf(await call(workspace, 'GET', APPLICATIONS_PATH + query), applicationPage.strict());
    const first = await page('?limit=2');
    const second = await page(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.applications, ...second.applications].map(({ id }) => id)).toEqual(ids);
    expect([first.applications.length, second.next_cursor]).toEqual([2, null]);
    expect(refusalOf(await call(workspace, 'GET', `${APPLICATIONS_PATH}?limit=0`))[0]).toBe(400);
  });
});

describe('DELETE /api/v1/applications/{id}', () => {
  it('removes it with its tokens, and frees its name', async () => {
    const { id, name } = await createApplication(service);
    await createToken(service, id);
    expect((await call(service, 'DELETE', applicationPath(id))).status).toBe(204);
    expect((await call(service, 'DELETE', applicationPath(id))).status).toBe(404);
    expect(await stored(id)).toBeNull();
    expect((await createCall(service, { name, type: 'chat' })).status).toBe(201);
  });

  it('is for the owner: a key that is narrowed to chat may not', async () => {
    const { apiKey, keyId } = await createWorkspace();
    const { id } = await createApplication({ ...service, apiKey });
    await changeKey(keyId, { scopes: ['chat'] });
    expect((await call(service, 'DELETE', applicationPath(id), { key: apiKey })).status).toBe(403);
    expect((await call(service, 'GET', applicationPath(id), { key: apiKey })).status).toBe(200);
  });
});

describe('public access tokens', () => {
  it('are created, listed without their text, and revoked', async () => {
    const { id } = await createApplication(service);
    const token = await createToken(service, id, { name: 'Website' });
    expect(token.token).toMatch(/^tpa_[0-9A-Za-z]{44}$/);
    expect(token.base_url).toBe(`${service.baseUrl}/api/v1/chat/${token.token}`);
    const listed = await call(service, 'GET', tokensPath(id));
    const { token: text, base_url: _, ...shown } = token;
    expect(dataOf(listed, accessTokenList)).toEqual({
      access_tokens: [{ ...shown, used_today: { requests: 0, tokens: 0 } }],
    });
    expect(JSON.stringify(listed.json)).not.toContain(text);
    expect((await call(service, 'DELETE', `${tokensPath(id)}/${token.id}`)).status).toBe(204);
    expect(refusalOf(await call(service, 'DELETE', `${tokensPath(id)}/${token.id}`))[0]).toBe(404);
    expect(dataOf(await call(service, 'GET', tokensPath(id)), accessTokenList)).toEqual({ access_tokens: [] });
  });

  it('are at most 20 of an application', async () => {
    const { id } = await createApplication(service);
    for (let i = 0; i < 20; i++) await createToken(service, id);
    expect(refusalOf(await call(service, 'POST', tokensPath(id), { body: {} }))[0]).toBe(409);
  });
});

describe.each([
  ['GET', applicationPath, undefined],
  ['PATCH', applicationPath, { description: 'x' }],
  ['DELETE', applicationPath, undefined],
  ['GET', tokensPath, undefined],
  ['POST', tokensPath, {}],
  ['DELETE', (id: string) => `${tokensPath(id)}/0000000000000`, undefined],
] as const)('%s %s', (method, path, body) => {
  it('answers 404 for an unknown application and for one of another workspace', async () => {
    const other = await createWorkspace();
    const { id } = await createApplication({ ...service, ...other });
    for (const foreign of [UNKNOWN, id])
      expect(refusalOf(await call(service, method, path(foreign), { body }))[0]).toBe(404);
  });

  it('answers 400 for an id that is not a UUID', async () => {
    const [status, message] = refusalOf(await call(service, method, path('abc'), { body }));
    expect([status, message]).toEqual([400, expect.stringContaining('id: must be a UUID')]);
  });

  it('answers 403 to a key for other services', async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: ['extraction', 'sandbox'] });
    expect(refusalOf(await call(service, method, path(UNKNOWN), { body, key: apiKey }))[0]).toBe(403);
  });
});

function model(fields: object) {
  return { name: 'n', type: 'chat', config: { model: fields } };
}

it('changes of applications and their tokens are in the audit trail, without any value of a secret', async () => {
  const workspace = await createWorkspace();
  const caller = { ...service, apiKey: workspace.apiKey };
  const { id } = await createApplication(caller, { name: 'Audited' });
  const model = { ...remote, api_key: SECRET };
  await changeCall(caller, id, { name: 'Renamed', config: { model, system_prompt: 'Hush.' } });
  const { id: token } = await createToken(caller, id);
  await call(caller, 'DELETE', `${tokensPath(id)}/${token}`);
  await call(caller, 'DELETE', applicationPath(id));
  const { json } = await call(caller, 'GET', '/api/v1/audit');
  const { entries } = (json as { data: { entries: Record<string, unknown>[] } }).data;
  const shown = entries.map(({ action, target, details }) => [action, target, details]);
  expect(shown.slice(0, 5).reverse()).toEqual([
    ['application.created', id, { name: 'Audited', type: 'chat' }],
    [
      'application.changed',
      id,
      { name: 'Renamed', changed: ['name', 'config.model', 'config.fallbacks', 'config.systemPrompt'] },
    ],
    ['access_token.created', token, { applicationId: id, name: 'Public link' }],
    ['access_token.revoked', token, { applicationId: id }],
    ['application.removed', id, { name: 'Renamed' }],
  ]);
  expect(JSON.stringify(json)).not.toContain(SECRET);
  expect(entries[0]).toMatchObject({ actor: { kind: 'key', id: workspace.keyId } });
});

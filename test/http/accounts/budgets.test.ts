import { beforeAll, describe, expect, it } from 'vitest';
import { budget, budgetList } from '../../../functions/accounts/budget-schemas.ts';
import { call, extractCall, extractWhenFree, problemOf } from '../../helpers/api.ts';
import { chatRefusalOf, complete, createApplication, createToken, dataOf, refusalOf } from '../../helpers/chat.ts';
import { mailTo } from '../../helpers/members.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../../helpers/workspace.ts';

const PATH = '/api/v1/budgets';
const service = useService();
let image: string;

beforeAll(async () => {
  image = (await oneLinePage()).toString('base64');
});

const payingWorkspace = (balanceKrw = 10_000) => createWorkspace({ balanceKrw, freeCallsUsed: 10 });
const set = ({ apiKey: key }: { readonly apiKey: string }, kind: string, id: string, body: unknown) =>
  call(service, 'PUT', `${PATH}/${kind}/${id}`, { key, body });
const remove = ({ apiKey: key }: { readonly apiKey: string }, kind: string, id: string) =>
  call(service, 'DELETE', `${PATH}/${kind}/${id}`, { key });
const budgetsOf = async ({ apiKey: key }: { readonly apiKey: string }) =>
  dataOf(await call(service, 'GET', PATH, { key }), budgetList);

describe('the budget of an API key in KRW', () => {
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await payingWorkspace();
    const answer = await set(workspace, 'key', workspace.keyId, { krw_per_day: 400, krw_per_month: 10_000 });
    expect(dataOf(answer, budget)).toMatchObject({ krw_per_day: 400, tokens_per_day: null, spent: { krw_today: 0 } });
  });

  it('lets a race of six calls charge exactly as many as fit, and refuses the others with limit, field and renewal', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => extractWhenFree(service, workspace, { image })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(problemOf(refused)).toMatchObject({
      code: 'budget_used_up',
      message: expect.stringContaining(`krw_per_day: the budget of the API key ${workspace.keyId} is used up`),
      details: { budget: { kind: 'key', id: workspace.keyId }, field: 'krw_per_day', limit: 400 },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { balanceKrw, charges } = await tracesOf(workspace.workspaceId);
    expect([balanceKrw, charges.length]).toEqual([9_600, 2]);
    const { spent } = (await budgetsOf(workspace))[0]!;
    expect(spent).toEqual({ krw_today: 400, krw_this_month: 400, tokens_today: null, tokens_this_month: null });
  });

  it('refuses a further call before the image is looked at, and the images of a batch', async () => {
    const noImage = Buffer.from('this would be a 415').toString('base64');
    expect((await extractCall(service, workspace, { image: noImage })).status).toBe(429);
    const path = '/api/v1/edi-extract-lite/extract-batch-async';
    const batch = await call(service, 'POST', path, { key: workspace.apiKey, body: { images: [image] } });
    expect([batch.status, problemOf(batch).code]).toEqual([429, 'budget_used_up']);
  });

  it('sends the owner one e-mail when 80 % are spent', async () => {
    const mail = await mailTo(service, workspace.email);
    expect(mail).toContain(
      `API key ${workspace.keyId} of the workspace "Another" has spent 400 of its daily budget of 400 KRW`,
    );
  });

  it('a raised budget keeps its spending, and a removed one lets calls pass', async () => {
    const raised = dataOf(await set(workspace, 'key', workspace.keyId, { krw_per_day: 600 }), budget);
    expect(raised).toMatchObject({ krw_per_day: 600, krw_per_month: null, spent: { krw_today: 400 } });
    expect((await extractWhenFree(service, workspace, { image })).status).toBe(200);
    expect((await extractWhenFree(service, workspace, { image })).status).toBe(429);
    expect((await remove(workspace, 'key', workspace.keyId)).status).toBe(204);
    expect((await extractWhenFree(service, workspace, { image })).status).toBe(200);
    expect(await budgetsOf(workspace)).toEqual([]);
  });
});

it('a budget of one API key leaves the calls of another key alone', async () => {
  const workspace = await payingWorkspace();
  const made = await call(service, 'POST', '/api/v1/api-keys', { key: workspace.apiKey, body: { name: 'second' } });
  const { id, key } = (made.json as { data: { id: string; key: string } }).data;
  await set(workspace, 'key', id, { krw_per_month: 0 });
  expect((await extractWhenFree(service, { apiKey: key }, { image })).status).toBe(429);
  expect((await extractWhenFree(service, workspace, { image })).status).toBe(200);
});

describe('a budget of tokens', () => {
  const ask = ({ apiKey }: TestWorkspace, application: string) => complete({ ...service, apiKey }, application, {});

  it('lets an application answer until its tokens are used up, and then refuses every way of asking it', async () => {
    const owner = await payingWorkspace();
    const { id } = await createApplication({ ...service, apiKey: owner.apiKey });
    await set(owner, 'application', id, { tokens_per_day: 5 });
    expect((await ask(owner, id)).status).toBe(200);
    const refused = await ask(owner, id);
    expect(refused.status).toBe(429);
    expect(chatRefusalOf(refused)).toEqual({
      ...{ status: 429, code: 'budget_used_up' },
      message: expect.stringMatching(/^tokens_per_day: the budget of the application/),
    });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    const response = await call(service, 'POST', `/api/v1/chat/${id}/v1/responses`, {
      key: owner.apiKey,
      body: { model: 'x', input: 'hello' },
    });
    expect(response.status).toBe(429);
    expect((await budgetsOf(owner))[0]!.spent.tokens_today).toBeGreaterThanOrEqual(5);
  });

  it('a visitor learns nothing of the workspace’s limits', async () => {
    const owner = await payingWorkspace();
    const { id } = await createApplication({ ...service, apiKey: owner.apiKey });
    const { token } = await createToken({ ...service, apiKey: owner.apiKey }, id);
    await set(owner, 'application', id, { tokens_per_month: 0 });
    const refused = chatRefusalOf(await complete(service, token, {}, { key: null }));
    expect([refused.status, refused.message]).toEqual([429, 'The budget of this chatbot is used up. Try again later.']);
  });

  it('counts the tokens of a key in all applications', async () => {
    const owner = await payingWorkspace();
    const [first, second] = [
      await createApplication({ ...service, apiKey: owner.apiKey }),
      await createApplication({ ...service, apiKey: owner.apiKey }),
    ];
    await set(owner, 'key', owner.keyId, { tokens_per_day: 1 });
    expect((await ask(owner, first.id)).status).toBe(200);
    expect((await ask(owner, second.id)).status).toBe(429);
  });
});

describe('setting and removing budgets', () => {
  it.each([
    ['key', {}, 'at least one limit'],
    ['key', { krw_per_day: -1 }, 'krw_per_day'],
    ['key', { krw_per_day: 1.5 }, 'krw_per_day'],
    ['key', { krw_per_year: 1 }, 'krw_per_year'],
    ['user', { krw_per_day: 1 }, 'kind'],
  ])('refuses %s with %j and names %s', async (kind, body, named) => {
    const [status, message] = refusalOf(await set(service, kind, 'x', body));
    expect([400, 422]).toContain(status);
    expect(message).toContain(named);
  });

  it('refuses a key or an application of another workspace as unknown', async () => {
    const [mine, other] = [await createWorkspace(), await createWorkspace()];
    const { id } = await createApplication({ ...service, apiKey: other.apiKey });
    expect(refusalOf(await set(mine, 'key', other.keyId, { krw_per_day: 1 }))[0]).toBe(404);
    expect(refusalOf(await set(mine, 'application', id, { krw_per_day: 1 }))[0]).toBe(404);
    expect(refusalOf(await remove(mine, 'key', mine.keyId))).toEqual([
      404,
      `Budget of the key ${mine.keyId} not found.`,
    ]);
  });

  it('is recorded in the audit trail', async () => {
    const workspace = await createWorkspace();
    await set(workspace, 'key', workspace.keyId, { krw_per_day: 1_000 });
    await remove(workspace, 'key', workspace.keyId);
    const { json } = await call(service, 'GET', '/api/v1/audit', { key: workspace.apiKey });
    const { entries } = (json as { data: { entries: { action: string; target: string }[] } }).data;
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'budget.removed', target: workspace.keyId },
      { action: 'budget.set', target: workspace.keyId, details: { krwPerDay: 1_000 } },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportResult, workspaceResult } from '../../../functions/accounts/workspace-schemas.ts';
import { conversationPage } from '../../../functions/chat/conversations/schemas.ts';
import { upload as uploadSchema } from '../../../functions/extraction/schemas.ts';
import { call, extractWhenFree, problemOf, uploadCall } from '../../helpers/api.ts';
import { login } from '../../helpers/auth.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { applicationOn, complete, dataOf, refusalOf } from '../../helpers/chat.ts';
import { placesNaming } from '../../helpers/everything-stored.ts';
import { createBase, indexText } from '../../helpers/knowledge.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';
import { asOwner, eraseAt, exportedRecords, requestDeletion } from '../../helpers/workspace-data.ts';
import { storeSingleSignOn } from '../../support/single-sign-on.ts';

const PATH = '/api/v1/workspace';
const DAY_MS = 24 * 60 * 60_000;

const service = useService();
let page: Buffer;
let provider: ScriptedProvider;

beforeAll(async () => {
  page = await oneLinePage();
  provider = await scriptedProvider();
});
afterAll(() => provider.stop());

const as = (workspace: TestWorkspace) => ({ ...service, ...workspace, baseUrl: service.baseUrl });
const settingsOf = async (workspace: TestWorkspace) =>
  dataOf(await call(as(workspace), 'GET', PATH), workspaceResult.shape.data);
const change = (workspace: TestWorkspace, body: object) => call(as(workspace), 'PATCH', PATH, { body });

async function workspaceWith(body: object): Promise<TestWorkspace> {
  const workspace = await createWorkspace({ freeCallsUsed: 10 });
  expect((await change(workspace, body)).status).toBe(200);
  return workspace;
}

async function uploaded(workspace: TestWorkspace): Promise<{ readonly imageUrl: string; readonly name: string }> {
  const { json } = await uploadCall(service, workspace, { contentType: 'image/png' });
  const { uploadUrl, imageUrl } = uploadSchema.parse(json);
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: new Uint8Array(page) });
  return { imageUrl, name: /upl_\w+/.exec(imageUrl)![0] };
}

const application = (workspace: TestWorkspace) => applicationOn(as(workspace), provider.baseUrl);

async function say(workspace: TestWorkspace, id: string, content: unknown, session = 'patient 1'): Promise<void> {
  const messages = [{ role: 'user', content }];
  const { status, json } = await complete(as(workspace), id, { messages }, { headers: { 'x-session-id': session } });
  expect(status, JSON.stringify(json)).toBe(200);
}

async function conversationsOf(workspace: TestWorkspace, id: string) {
  const path = `/api/v1/applications/${id}/conversations`;
  return dataOf(await call(as(workspace), 'GET', path), conversationPage).conversations;
}

describe('the settings of a workspace', () => {
  it('settings keep everything at first, change one by one, and hold for their workspace only', async () => {
    const [workspace, other] = [await createWorkspace(), await createWorkspace()];
    const first = await settingsOf(workspace);
    expect(first).toMatchObject({
      retention_days: 30,
      keep_no_images: false,
      keep_images: false,
      mask_resident_numbers: false,
      deletion: null,
    });
    await change(workspace, { retention_days: 7 });
    await change(workspace, { mask_resident_numbers: true, name: 'Ganada' });
    expect(await settingsOf(workspace)).toEqual({
      ...first,
      name: 'Ganada',
      retention_days: 7,
      mask_resident_numbers: true,
    });
    expect(await settingsOf(other)).toMatchObject({ id: other.workspaceId, name: 'Another', retention_days: 30 });
  });

  it.each([
    { retention_days: 31 },
    { retention_days: -1 },
    { retention_days: 1.5 },
    { keep_no_images: 'yes' },
    { other: 1 },
  ])('refuse %j', async (body) => {
    const answer = await change(await createWorkspace(), body);
    expect([400, 422]).toContain(answer.status);
    expect(refusalOf(answer)[1]).toContain(Object.keys(body)[0]);
  });
});

describe('retention_days: 0', () => {
  it('keeps of a single extraction nothing but its entry in the ledger, and never charges it twice', async () => {
    const workspace = await workspaceWith({ retention_days: 0 });
    const { imageUrl, name } = await uploaded(workspace);
    const answer = await extractWhenFree(service, workspace, { imageUrl }, 'key');
    expect(answer.json).toMatchObject({ foundTable: true, balanceKrw: 9_800 });
    const { requestId } = answer.json as { requestId: string };
    expect(await placesNaming(service, name)).toEqual([]);
    const tables = (await placesNaming(service, requestId)).map((place) => place.split(' ')[0]);
    expect(tables).toEqual(['accounts', 'idempotency']);
    expect((await call(as(workspace), 'GET', `/api/v1/extractions/${requestId}`)).status).toBe(404);
    const again = await extractWhenFree(service, workspace, { imageUrl }, 'key');
    expect([again.status, problemOf(again).code]).toEqual([410, 'result_not_kept']);
    expect((await call(as(workspace), 'GET', '/api/v1/balance')).json).toMatchObject({ balanceKrw: 9_800 });
  });

  it('keeps the results of a batch for a day, without its images', async () => {
    const workspace = await workspaceWith({ retention_days: 0 });
    const { jobId } = (await batchCall(service, workspace, { images: [page.toString('base64'), 'AAAA'] })).json as {
      jobId: string;
    };
    const job = await finishedJob(service, workspace, jobId, '?items=1');
    expect(job.images[0]?.items).toHaveLength(1);
    const files = async () => (await placesNaming(service, jobId)).filter((place) => place.startsWith('file '));
    await expect.poll(files).toEqual([]);
  });

  it('keeps no conversation', async () => {
    const workspace = await workspaceWith({ retention_days: 0 });
    const { id } = await application(workspace);
    provider.plays(says('one'), says('two'));
    await say(workspace, id, '홍길동 님');
    await say(workspace, id, 'And now?');
    expect(provider.requests.at(-1)!.body.messages.filter(({ role }) => role !== 'system')).toHaveLength(1);
    expect(await conversationsOf(workspace, id)).toEqual([]);
    expect((await placesNaming(service, '홍길동 님')).filter((place) => place.startsWith('conversations '))).toEqual(
      [],
    );
  });
});

it('keep_no_images deletes an upload once it is read, and keeps no image of a conversation', async () => {
  const workspace = await workspaceWith({ keep_no_images: true });
  const { imageUrl, name } = await uploaded(workspace);
  const { json } = await extractWhenFree(service, workspace, { imageUrl });
  const files = (await placesNaming(service, name)).filter((place) => place.startsWith('file '));
  expect(files).toEqual([]);
  const { requestId } = json as { requestId: string };
  expect((await call(as(workspace), 'GET', `/api/v1/extractions/${requestId}`)).status).toBe(200);

  const { id } = await application(workspace);
  provider.plays(says('seen'));
  const image = {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${Buffer.from('patient image').toString('base64')}` },
  };
  await say(workspace, id, [{ type: 'text', text: 'What is this?' }, image]);
  expect(await conversationsOf(workspace, id)).toMatchObject([{ title: expect.stringMatching(/^What is this/) }]);
  expect(await placesNaming(service, Buffer.from('patient image').toString('base64'))).toEqual([]);
});

describe('keep_images', () => {
  const read = async (workspace: TestWorkspace) => {
    const body = { image: page.toString('base64') };
    return ((await extractWhenFree(service, workspace, body)).json as { requestId: string }).requestId;
  };
  const picture = (workspace: TestWorkspace, id: string) =>
    call(as(workspace), 'GET', `/api/v1/extractions/${id}/picture`);
  const files = async (id: string) => (await placesNaming(service, id)).filter((place) => place.startsWith('file '));

  it('keeps the image of a call for its review, for the workspace alone, and deletes it with the extraction', async () => {
    const workspace = await workspaceWith({ keep_images: true });
    const id = await read(workspace);
    const { status, json } = await picture(workspace, id);
    expect(status).toBe(200);
    const { url, contentType } = json as { url: string; contentType: string };
    expect(contentType).toBe('image/png');
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(page)).toBe(true);
    expect((await picture(await createWorkspace(), id)).status).toBe(404);
    expect((await files(id)).length).toBeGreaterThan(0);
    expect((await call(as(workspace), 'DELETE', `/api/v1/extractions/${id}`)).status).toBe(204);
    expect(await files(id)).toEqual([]);
    expect((await picture(workspace, id)).status).toBe(404);
  });

  it.each<[object, string]>([
    [{}, 'by default'],
    [{ keep_images: true, keep_no_images: true }, 'beside keep_no_images'],
    [{ keep_images: true, retention_days: 7 }, 'where its extraction might go before it'],
  ])('keeps no image with %j: %s', async (settings) => {
    const workspace = await workspaceWith(settings);
    const id = await read(workspace);
    expect((await picture(workspace, id)).status).toBe(404);
    expect(await files(id)).toEqual([]);
  });

  it('deletes the images that were kept once it is switched off, and no upload', async () => {
    const workspace = await workspaceWith({ keep_images: true });
    const { name } = await uploaded(workspace);
    const id = await read(workspace);
    expect((await change(workspace, { keep_images: false })).status).toBe(200);
    await eraseAt(Date.now());
    expect(await files(id)).toEqual([]);
    expect(await files(name)).not.toEqual([]);
    expect((await call(as(workspace), 'GET', `/api/v1/extractions/${id}`)).status).toBe(200);
  });
});

it('mask_resident_numbers masks them in stored conversations and documents; the model sees the original', async () => {
  const workspace = await workspaceWith({ mask_resident_numbers: true });
  const { id } = await application(workspace);
  provider.plays(says('900101-1234568 님'));
  await say(workspace, id, '주민번호 900101-1234568 환자');
  expect(JSON.stringify(provider.requests.at(-1)!.body)).toContain('900101-1234568');
  const base = await createBase(as(workspace));
  await indexText(as(workspace), base.id, '환자 900101-1234568 의 복약 지도', { title: '900101-1234568' });
  expect(await placesNaming(service, '900101-1234568')).toEqual([]);
  expect(await conversationsOf(workspace, id)).toMatchObject([{ title: '주민번호 900101-******* 환자' }]);
});

it('a shorter retention erases older data at once, and shortens the life of the rest', async () => {
  const [workspace, other] = [await createWorkspace(), await createWorkspace()];
  const extracted = async (one: TestWorkspace) =>
    ((await extractWhenFree(service, one, { image: page.toString('base64') })).json as { requestId: string }).requestId;
  const [mine, theirs] = [await extracted(workspace), await extracted(other)];
  const { id } = await application(workspace);
  provider.plays(says('one'));
  await say(workspace, id, 'Good morning');
  await change(workspace, { retention_days: 2 });
  const found = async (one: TestWorkspace, extraction: string) =>
    (await call(as(one), 'GET', `/api/v1/extractions/${extraction}`)).status;
  await eraseAt(Date.now() + DAY_MS);
  expect([await found(workspace, mine), (await conversationsOf(workspace, id)).length]).toEqual([200, 1]);
  await service.aws.removeExpired(Date.now() + 2 * DAY_MS + 1000);
  expect([await found(workspace, mine), await found(other, theirs)]).toEqual([404, 200]);
  expect(await conversationsOf(workspace, id)).toEqual([]);
});

it('DELETE /api/v1/conversations removes those of one person in all applications, and no others', async () => {
  const [workspace, other] = [await createWorkspace(), await createWorkspace()];
  const [first, second] = [await application(workspace), await application(workspace)];
  const foreign = await application(other);
  provider.plays(...Array.from({ length: 4 }, () => says('one')));
  await say(workspace, first.id, 'in the first', 'patient 7');
  await say(workspace, second.id, 'in the second', 'patient 7');
  await say(workspace, second.id, 'somebody else', 'patient 8');
  await say(other, foreign.id, 'elsewhere', 'patient 7');
  const path = '/api/v1/conversations';
  expect([400, 422]).toContain((await call(as(workspace), 'DELETE', path)).status);
  const { json } = await call(as(workspace), 'DELETE', `${path}?session_id=patient%207`);
  expect(json).toMatchObject({ data: { removed: 2, complete: true } });
  expect(await conversationsOf(workspace, first.id)).toEqual([]);
  expect(await conversationsOf(workspace, second.id)).toMatchObject([{ session_id: 'patient 8' }]);
  expect(await conversationsOf(other, foreign.id)).toHaveLength(1);
  expect(await placesNaming(service, 'in the first')).toEqual([]);
});

describe('an export', () => {
  const start = async (workspace: TestWorkspace) =>
    call(service, 'POST', `${PATH}/exports`, { key: null, headers: await asOwner(service, workspace) });
  const found = async (workspace: TestWorkspace, id: string) =>
    call(service, 'GET', `${PATH}/exports/${id}`, { key: null, headers: await asOwner(service, workspace) });

  it('is an archive of everything but secrets, which its owner alone can fetch', async () => {
    const [workspace, other] = [await createWorkspace({ freeCallsUsed: 10 }), await createWorkspace()];
    const single = (await extractWhenFree(service, workspace, { image: page.toString('base64') })).json as {
      requestId: string;
    };
    const { jobId } = (await batchCall(service, workspace, { images: [page.toString('base64')] })).json as {
      jobId: string;
    };
    await finishedJob(service, workspace, jobId);
    const { id } = await application(workspace);
    provider.plays(says('the answer'));
    await say(workspace, id, 'the question');
    const started = dataOf(await start(workspace), exportResult.shape.data);
    expect((await found(other, started.id)).status).toBe(404);
    const files = await exportedRecords(service, workspace, started.id);
    expect(files['extractions.jsonl']).toHaveLength(2);
    expect(files['extractions.jsonl']).toContainEqual(
      expect.objectContaining({ extractionId: single.requestId, foundTable: true }),
    );
    expect(files['jobs.jsonl']).toMatchObject([{ jobId, images: [{ outcome: { kind: 'completed' } }] }]);
    expect(files['conversations.jsonl']).toMatchObject([
      { turns: [{ input: [{ content: 'the question' }], answer: { content: 'the answer' } }] },
    ]);
    expect(files['members.jsonl']).toMatchObject([{ email: workspace.email, role: 'owner' }]);
    expect(files['ledger.jsonl']).toHaveLength(3);
    const text = JSON.stringify(files);
    for (const secret of ['passwordHash', 'refreshHash', '"hash"', 'sealed', workspace.apiKey])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(other.workspaceId);
  });

  it('is made three times a day at most', async () => {
    const workspace = await createWorkspace();
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await start(workspace)).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
  });
});

describe('the deletion of a workspace', () => {
  const request = (workspace: TestWorkspace, name?: string) => requestDeletion(service, workspace, name);

  it('needs a person and the name of the workspace', async () => {
    const workspace = await createWorkspace();
    expect(
      (await call(as(workspace), 'POST', `${PATH}/deletion`, { body: { workspace_name: 'Another' } })).status,
    ).toBe(401);
    expect((await request(workspace, 'Other')).status).toBe(422);
    expect((await settingsOf(workspace)).deletion).toBeNull();
  });

  it('can be cancelled for seven days, in which everything works', async () => {
    const workspace = await createWorkspace();
    const { deletion } = dataOf(await request(workspace), workspaceResult.shape.data);
    expect(Date.parse(deletion!.deletes_at) - Date.parse(deletion!.requested_at)).toBe(7 * DAY_MS);
    expect((await request(workspace)).status).toBe(409);
    await eraseAt(Date.now() + 6 * DAY_MS);
    expect((await settingsOf(workspace)).deletion).toEqual(deletion);
    const cancel = async () =>
      call(service, 'DELETE', `${PATH}/deletion`, { key: null, headers: await asOwner(service, workspace) });
    expect((await cancel()).status).toBe(204);
    expect((await cancel()).status).toBe(409);
    await eraseAt(Date.now() + 9 * DAY_MS);
    expect((await settingsOf(workspace)).deletion).toBeNull();
  });

  it("erasure leaves only the workspace's ledger in the stores, and all data of other workspaces", async () => {
    const [workspace, other] = [await createWorkspace(), await createWorkspace()];
    for (const each of [workspace, other]) {
      const { imageUrl } = await uploaded(each);
      await extractWhenFree(service, each, { imageUrl }, 'key');
      const { jobId } = (await batchCall(service, each, { images: [page.toString('base64')] })).json as {
        jobId: string;
      };
      await finishedJob(service, each, jobId);
      const base = await createBase(as(each));
      await indexText(as(each), base.id, '복약 지도');
      const { id } = await application(each);
      provider.plays(says('one'));
      await say(each, id, `What belongs to ${workspace.workspaceId}?`, workspace.workspaceId);
      await call(as(each), 'POST', '/api/v1/members', { body: { email: `member-of-${each.email}`, role: 'viewer' } });
      await login(service, each);
      await storeSingleSignOn(each);
    }
    const lasting = async () =>
      (await placesNaming(service, other.workspaceId)).filter((place) => !/^accounts (OUTBOX|LINK#)/.test(place));
    const before = await lasting();
    expect((await request(workspace)).status).toBe(202);
    await eraseAt(Date.now() + 10 * DAY_MS);

    for (const name of [workspace.workspaceId, workspace.userId, workspace.keyId, workspace.email]) {
      const places = (await placesNaming(service, name)).filter((place) => !place.includes(other.workspaceId));
      const kept = places.filter((place) => !/^accounts WORKSPACE#\w+ (ACCOUNT|ENTRY#\d+)$/.test(place));
      expect(kept, name).toEqual([]);
    }
    expect(await lasting()).toEqual(before);
    expect((await call(as(workspace), 'GET', '/api/v1/balance')).status).toBe(401);
    expect((await login(service, workspace)).status).toBe(401);
    expect((await call(as(other), 'GET', PATH)).status).toBe(200);
  });
});

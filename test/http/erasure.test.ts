import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { conversationPage } from '../../functions/chat/conversations/schemas.ts';
import { cleanBase } from '../../functions/knowledge/domain/clean-base.ts';
import { indexDocumentWorker } from '../../functions/knowledge/workers.ts';
import { indexPorts } from '../../functions/wiring/knowledge/bases.ts';
import { aroundHandler } from '../../gateway/around-handler.ts';
import { call } from '../helpers/api.ts';
import { complete, createApplication, dataOf } from '../helpers/chat.ts';
import { placesNaming } from '../helpers/everything-stored.ts';
import { addCall, basePath, createBase, documentPath, indexed, indexText, uploadFile } from '../helpers/knowledge.ts';
import { useOwnService } from '../helpers/service.ts';
import { publishedWorkflow, runWorkflow } from '../helpers/workflows/calls.ts';
import { graph, node } from '../helpers/workflows/graphs.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';
import { eraseAt, requestDeletion } from '../helpers/workspace-data.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** No other text has it. */
const WORD = `planted${randomBytes(12).toString('hex')}`;

const service = useOwnService();
let workspace: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  [workspace, other] = [await createWorkspace(), await createWorkspace()];
});

const as = (whose: TestWorkspace) => ({ ...service, ...whose, baseUrl: service.baseUrl });
const start = node('start', 'start', {});
const say = node('say', 'answer', { text: 'You said {{sys.query}}.' });

/** Asks an application whose workflow runs another one, and one whose workflow waits for an approval, in one session each. */
async function conversationsWith(whose: TestWorkspace): Promise<readonly string[]> {
  const caller = as(whose);
  const inner = await publishedWorkflow(caller, graph([start, say], ['start > say']));
  const call = node('call', 'sub_workflow', { workflow_id: inner, query: '{{sys.query}}' });
  const said = node('said', 'answer', { text: '{{call.answer}}' });
  const ask = node('ask', 'approval', { message: 'Send {{sys.query}}?' });
  const workflows = [
    await publishedWorkflow(caller, graph([start, call, said], ['start > call', 'call > said'])),
    await publishedWorkflow(caller, graph([start, ask, say], ['start > ask', 'ask:approved > say'])),
  ];
  const applications: string[] = [];
  for (const workflow_id of workflows) {
    const { id } = await createApplication(caller, { type: 'workflow', config: { workflow_id } });
    const messages = [{ role: 'user', content: WORD }];
    const { status } = await complete(caller, id, { messages }, { headers: { 'x-session-id': 'a patient' } });
    expect(status).toBe(200);
    applications.push(id);
  }
  return applications;
}

/** A document that was replaced, in one base, and an uploaded one in another. */
async function documentsWith(whose: TestWorkspace) {
  const caller = as(whose);
  const [base, named] = [await createBase(caller), await createBase(caller, { name: WORD })];
  const titled = { title: `About ${WORD}`, external_id: 'one' };
  await indexText(caller, base.id, `First ${WORD}`, titled);
  const document = await indexText(caller, base.id, `Then ${WORD}`, titled);
  const upload_id = await uploadFile(caller, named.id, Buffer.from(`A file with ${WORD}`), 'text/plain');
  const added = (await addCall(caller, named.id, { upload_id })).json as { data: { id: string } };
  await indexed(caller, named.id, added.data.id);
  return { base: base.id, document: document.id, named: named.id };
}

/** The clean-up of a base's index, as the reconciler orders it some hours later. */
async function cleaned(whose: TestWorkspace, baseId: string, hours: number): Promise<void> {
  const clock = { now: () => Date.now() + hours * HOUR_MS };
  const clean = () =>
    cleanBase({ workspaceId: whose.workspaceId, baseId }, clock.now() + 60_000, { ...indexPorts(), clock });
  await aroundHandler(indexDocumentWorker.id, clean)();
}

const kinds = async () => [...new Set((await placesNaming(service, WORD)).map((place) => place.split(/[ _]/)[0]))];

/** Files of the data directory that have the word, or that have it in their name. */
async function filesWith(): Promise<string[]> {
  const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (path.includes(WORD) || bytes.includes(WORD)) found.push(path.slice(service.dataDir.length));
  }
  return found;
}

it('a conversation, a document, a base and a run are erased from every store and file', {
  timeout: 180_000,
}, async () => {
  const caller = as(workspace);
  const applications = await conversationsWith(workspace);
  const { base, document, named } = await documentsWith(workspace);
  const once = await publishedWorkflow(caller, graph([start, say], ['start > say']));
  const run = (await runWorkflow(caller, once, { query: WORD })).json.data.id;
  expect(await kinds()).toEqual(expect.arrayContaining(['conversations', 'runs', 'knowledge', 'file']));
  expect((await filesWith()).some((path) => path.includes('dynamodb'))).toBe(true);

  for (const id of applications) {
    const path = `/api/v1/applications/${id}/conversations`;
    const { conversations } = dataOf(await call(caller, 'GET', path), conversationPage);
    expect(conversations).toHaveLength(1);
    expect((await call(caller, 'DELETE', `${path}/${conversations[0]!.id}`)).status).toBe(204);
  }
  expect(await kinds()).not.toContain('conversations');
  expect(
    (await placesNaming(service, WORD))
      .filter((place) => place.startsWith('runs '))
      .every((place) => place.includes(run)),
  ).toBe(true);
  expect((await call(caller, 'DELETE', `/api/v1/runs/${run}?erase=true`)).status).toBe(204);
  expect(await kinds()).not.toContain('runs');

  expect((await call(caller, 'DELETE', documentPath(base, document))).status).toBe(204);
  // The index is made anew without it, and the replaced segment is removed later.
  await cleaned(workspace, base, 1);
  await cleaned(workspace, base, 2);
  expect((await call(caller, 'DELETE', basePath(named))).status).toBe(204);
  await cleaned(workspace, named, 1);
  expect(await placesNaming(service, WORD)).toEqual([]);
  await service.aws.removeExpired(Date.now() + 2 * HOUR_MS);
  expect(await filesWith()).toEqual([]);
});

it('a response, its run and the runs of responses that continue it are erased, and no other run', {
  timeout: 180_000,
}, async () => {
  const caller = as(await createWorkspace());
  const inner = await publishedWorkflow(caller, graph([start, say], ['start > say']));
  const ran = node('call', 'sub_workflow', { workflow_id: inner, query: '{{sys.query}}' });
  const said = node('said', 'answer', { text: '{{call.answer}}' });
  const workflow_id = await publishedWorkflow(caller, graph([start, ran, said], ['start > call', 'call > said']));
  const { id } = await createApplication(caller, { type: 'workflow', config: { workflow_id } });
  const path = `/api/v1/chat/${id}/responses`;
  const respond = async (input: string, previous?: string) => {
    const body = { model: 'any', input, ...(previous !== undefined && { previous_response_id: previous }) };
    const { status, json } = await call(caller, 'POST', path, { body });
    expect([status, json]).toMatchObject([200, { status: 'completed' }]);
    return (json as { id: string }).id;
  };
  const first = await respond('Hello');
  const planted = await respond(`It is ${WORD}`, first);
  await respond('And then?', await respond('Really?', planted));
  await respond('Something else', first);
  const before = await placesNaming(service, WORD);
  expect(before.filter((place) => place.startsWith('runs ')).length).toBeGreaterThan(3);
  const runsOf = async () => {
    const { json } = await call(caller, 'GET', `/api/v1/workflows/${workflow_id}/runs`);
    return (json as { data: { runs: object[] } }).data.runs;
  };
  expect(await runsOf()).toHaveLength(5);

  expect((await call(caller, 'DELETE', `${path}/${planted}`)).status).toBe(200);
  expect(await placesNaming(service, WORD)).toEqual([]);
  expect(await runsOf()).toHaveLength(2);
  expect((await call(caller, 'DELETE', `${path}/${planted}`)).status).toBe(404);
  await service.aws.removeExpired(Date.now() + 4 * HOUR_MS);
  expect(await filesWith()).toEqual([]);
});

it('a workspace is erased from every store and file', { timeout: 180_000 }, async () => {
  await conversationsWith(other);
  await documentsWith(other);
  expect(await kinds()).toEqual(expect.arrayContaining(['conversations', 'runs', 'knowledge', 'file']));
  expect((await requestDeletion(as(other), other)).status).toBe(202);
  await eraseAt(Date.now() + 8 * DAY_MS);
  expect(await placesNaming(service, WORD)).toEqual([]);
  await service.aws.removeExpired(Date.now() + 6 * HOUR_MS);
  expect(await filesWith()).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runThat } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { startReceiver } from '../../helpers/workflows/receiver.ts';

const DOCUMENTS = 100;
const LENGTH = 20_000;

let dataDir: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let onRead: (read: number) => void = () => undefined;
const documentOf = (path: string) => path.replace('/documents/', 'Document ').padEnd(LENGTH, ' 가나다 0123456789');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-large-'));
  receiver = await startReceiver(({ path, body }) => {
    if (path === '/all') return `${body.length}`;
    onRead(receiver.received.filter((each) => each.path.startsWith('/documents/')).length);
    return documentOf(path);
  });
});
afterAll(async () => {
  receiver.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const reading = (origin: string) =>
  graph(
    [
      node('start', 'start', { fields: [{ name: 'notes', type: 'list' }] }),
      node('each', 'iteration', { items: '{{start.notes}}', output: '{{read.text}}', concurrency: 5 }),
      node('read', 'http_request', { method: 'GET', url: `${origin}/documents/{{each.index}}` }, { parentId: 'each' }),
      node('ask', 'approval', { message: 'Send {{each.count}}?' }),
      node('join', 'template', { template: '{{ texts | join: "" }}' }, { inputs: { texts: '{{each.results}}' } }),
      node('send', 'http_request', { method: 'POST', url: `${origin}/all`, body: '{{join.text}}', body_type: 'text' }),
      node('end', 'answer', { text: 'Sent {{send.text}} of {{each.count}}' }),
    ],
    ['start > each', 'each > ask', 'ask:approved > join', 'join > send', 'send > end'],
  );

it('a map over a hundred documents of 20 KB ends though the service is killed in it and while it waits', async () => {
  let service: ServiceProcess = await startServiceProcess({ dataDir });
  const id = await publishedWorkflow(service, reading(receiver.origin));
  // The inputs are large themselves: each note has as many characters as its document.
  const notes = Array.from({ length: DOCUMENTS }, (_, i) => `${i}`.padEnd(LENGTH, ' note'));
  const killed = new Promise<void>((resolve) => {
    onRead = (read) => void (read === DOCUMENTS / 2 && resolve(service.kill()));
  });
  const begun = await envelope<RunResponse>(service, 'POST', `/workflows/${id}/run`, {
    inputs: { notes },
    background: true,
  });
  expect([begun.status, begun.json.message]).toEqual([202, 'The run is queued.']);
  const runId = begun.json.data.id;
  await killed;

  service = await startServiceProcess({ dataDir });
  await runThat(service, runId, ({ status }) => status === 'waiting');
  await service.kill();

  service = await startServiceProcess({ dataDir });
  const approved = await envelope(service, 'POST', `/runs/${runId}/approve`, {});
  expect(approved.status, JSON.stringify(approved.json)).toBe(200);
  const ended = await runThat(service, runId, ({ status }) => status === 'succeeded' || status === 'failed');
  const whole = Array.from({ length: DOCUMENTS }, (_, i) => documentOf(`/documents/${i}`)).join('');
  expect([ended.failure, ended.answer]).toEqual([null, `Sent ${whole.length} of ${DOCUMENTS}`]);
  const sent = receiver.received.filter(({ path }) => path === '/all');
  expect(sent.map(({ body }) => body === whole)).toEqual([true]);
  // A document is read again only where its end was not recorded before the kill: five are read at once.
  const reads = receiver.received.filter(({ path }) => path.startsWith('/documents/')).length;
  expect(reads).toBeLessThanOrEqual(DOCUMENTS + 5);

  // The list of nodes leaves out what would not fit into a response; one node alone is shown.
  const { nodes } = ended;
  expect(nodes.some((each) => each.values_omitted && each.outputs === null)).toBe(true);
  const { json } = await envelope<RunResponse>(
    service,
    'GET',
    `/runs/${runId}?node=${encodeURIComponent('each[99]/read')}`,
  );
  expect(json.data.nodes.map(({ execution_key, outputs }) => [execution_key, outputs?.text])).toEqual([
    ['each[99]/read', documentOf('/documents/99')],
  ]);
  await service.stop();
});

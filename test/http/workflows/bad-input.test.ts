import { expect, it } from 'vitest';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const start = node('start', 'start');
const calling = (workflow_id: string, more: object = {}) =>
  graph([start, node('call', 'sub_workflow', { workflow_id, ...more }, { title: 'Call' })], ['start > call']);

it('workflows that call each other end at the second run of the first, with a message that names the cause', async () => {
  const first = await publishedWorkflow(service, graph([start], []));
  const second = await publishedWorkflow(service, calling(first));
  await envelope(service, 'PATCH', `/workflows/${first}`, { graph: toGraphResponse(calling(second)) });
  await envelope(service, 'POST', `/workflows/${first}/versions`, {});
  const { failure } = (await runWorkflow(service, first)).json.data;
  expect([failure?.code, failure?.message]).toEqual([
    'recursive_workflow',
    expect.stringContaining('may not run within itself'),
  ]);
});

it('a workflow that is removed while another one uses it fails the node, which names the field', async () => {
  const inner = await publishedWorkflow(service, graph([start], []));
  const [latest, pinned] = [
    await publishedWorkflow(service, calling(inner)),
    await publishedWorkflow(service, calling(inner, { version: 1 })),
  ];
  expect((await runWorkflow(service, pinned)).json.data.status).toBe('succeeded');
  expect((await envelope(service, 'DELETE', `/workflows/${inner}`)).status).toBe(204);
  for (const [outer, code] of [
    [latest, 'not_found'],
    [pinned, 'version_not_found'],
  ] as const) {
    const { failure } = (await runWorkflow(service, outer)).json.data;
    expect(failure).toMatchObject({
      code,
      node_id: 'call',
      message: expect.stringMatching(/^config\.workflow_id: .+/),
    });
  }
});

it.each([
  ['* * * * * *', 'The shortest interval is a minute'],
  ['*/1 * * * * * *', 'The shortest interval is a minute'],
  ['61 * * * *', 'cron: '],
])('a schedule of %s is refused with the shortest interval, or its fault', async (cron, message) => {
  const workflow = await publishedWorkflow(service, graph([start], []));
  const body = { type: 'schedule', name: 'Often', cron, time_zone: 'Asia/Seoul' };
  const refused = await envelope(service, 'POST', `/workflows/${workflow}/triggers`, body);
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining(message)]);
});

it.each([
  ['a program', 'data:application/x-msdownload;base64,TVqQAAMAAAAEAAAA', 'setup.exe'],
  [
    'a text that calls itself a PDF',
    `data:application/pdf;base64,${Buffer.from('no PDF').toString('base64')}`,
    'a.pdf',
  ],
  [
    'a broken Word file',
    `data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,${Buffer.from('PK no').toString('base64')}`,
    'a.docx',
  ],
])('%s as a document fails its node, which names the file and its fault', async (_, url, name) => {
  const reading = graph(
    [
      node('start', 'start', { fields: [{ name: 'paper', type: 'file' }] }),
      node('read', 'document_extractor', { file: '{{start.paper}}' }),
      node('end', 'answer', { text: '{{read.text}}' }),
    ],
    ['start > read', 'read > end'],
  );
  const workflow = await publishedWorkflow(service, reading);
  const { status, failure, answer } = (await runWorkflow(service, workflow, { inputs: { paper: { url, name } } })).json
    .data;
  expect([status, answer, failure]).toEqual([
    'failed',
    '',
    { code: expect.stringMatching(/file|document/), node_id: 'read', message: expect.stringContaining(name) },
  ]);
});

it('a start field takes no file where it wants a number, and names the field', async () => {
  const fields = [{ name: 'count', type: 'number' }];
  const workflow = await publishedWorkflow(service, graph([node('start', 'start', { fields })], []));
  const file = { url: 'data:text/plain;base64,aGk=', name: 'a.txt' };
  const { status, json } = await runWorkflow(service, workflow, { inputs: { count: file } });
  expect([status, json.message]).toEqual([422, expect.stringContaining('count: must be a number')]);
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportResult } from '../../../functions/accounts/workspace-schemas.ts';
import { call } from '../../helpers/api.ts';
import { dataOf } from '../../helpers/chat.ts';
import { placesNaming } from '../../helpers/everything-stored.ts';
import { useService } from '../../helpers/service.ts';
import {
  envelope,
  framesOfRun,
  publishedWorkflow,
  type RunResponse,
  runThat,
  runWorkflow,
} from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace } from '../../helpers/workspace.ts';
import { asOwner, eraseAt, exportedRecords, requestDeletion } from '../../helpers/workspace-data.ts';

const service = useService();
const DAY_MS = 24 * 60 * 60_000;

const listField = (name: string) => ({ name, type: 'list' });
const start = node('start', 'start', { fields: [listField('texts')] });
const joining = graph(
  [
    start,
    node('join', 'template', { template: '{{ texts | join: " " }}' }, { inputs: { texts: '{{start.texts}}' } }),
    node('end', 'answer', { text: 'Joined' }),
  ],
  ['start > join', 'join > end'],
);
/** Texts that do not compress: larger ones than an item of the table may have. */
const texts = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: 500 }, (_, j) =>
      Math.sin(i * 1000 + j)
        .toString(36)
        .slice(2),
    ).join(`-marked-`),
  );

async function objectsOf(workspaceId: string): Promise<string[]> {
  const files = await readdir(join(service.dataDir, 's3'), { recursive: true });
  return files.filter((file) => file.includes('runs') && file.includes(`${workspaceId}/run_`));
}

describe('large values of a run', () => {
  it('lie encrypted outside of the table, are in the export of their workspace, and go with it', async () => {
    const workspace = await createWorkspace();
    const own = { ...service, ...workspace, baseUrl: service.baseUrl };
    const workflow = await publishedWorkflow(own, joining);
    const given = texts(100);
    const { json } = await runWorkflow(own, workflow, { inputs: { texts: given } });
    expect([json.data.status, json.data.answer]).toEqual(['succeeded', 'Joined']);
    expect(await objectsOf(workspace.workspaceId)).not.toEqual([]);
    // The key is in the table: with the record that expires or is erased, the object is noise.
    expect(await placesNaming(service, '-marked-')).toEqual([]);

    const headers = await asOwner(service, workspace);
    const started = await call(service, 'POST', '/api/v1/workspace/exports', { key: null, headers });
    const files = await exportedRecords(service, workspace, dataOf(started, exportResult.shape.data).id);
    expect(files['runs.jsonl']?.[0].events[0].inputs.texts).toEqual(given);

    await requestDeletion(service, workspace);
    await eraseAt(Date.now() + 8 * DAY_MS);
    expect(await objectsOf(workspace.workspaceId)).toEqual([]);
  });

  it('are taken over by a repeated run', async () => {
    const workflow = await publishedWorkflow(service, joining);
    const { json } = await runWorkflow(service, workflow, { inputs: { texts: texts(60) } });
    const retried = await envelope<RunResponse>(service, 'POST', `/runs/${json.data.id}/retry`, { from: 'end' });
    expect(retried.status, JSON.stringify(retried.json)).toBe(202);
    await runThat(service, retried.json.data.id, ({ status }) => status === 'succeeded');
  });

  it('are left out of the events of a stream, which say so', async () => {
    const workflow = await publishedWorkflow(service, joining);
    const frames = await framesOfRun(service, workflow, { inputs: { texts: texts(60) } });
    const finished = frames
      .filter(({ name }) => name === 'node_finished')
      .map(({ data }) => (JSON.parse(data) as { readonly event: Record<string, unknown> }).event);
    expect(finished.map((data) => [data.node_id, data.values_omitted ?? false, 'outputs' in data])).toEqual([
      ['start', true, false],
      ['join', true, false],
      ['end', false, true],
    ]);
  });

  it.each([
    ['All inputs', { texts: ['x'.repeat(4_100_000)] }, 'a run starts with at most 4000000'],
    ['A text of 2 MB in a list field', { texts: 'x'.repeat(2_000_000) }, 'texts: must be a list'],
  ])('%s that do not fit are refused before anything runs, and the message says why', async (_, inputs, message) => {
    const workflow = await publishedWorkflow(service, joining);
    const { status, json } = await runWorkflow(service, workflow, { inputs });
    expect([status, json.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it('a conversation variable of 2 MB fails its node, which names the limit', async () => {
    const assign = node('keep', 'assigner', {
      items: [{ variable: 'conversation.kept', operation: 'overwrite', value: '{{start.texts}}' }],
    });
    const workflow = await publishedWorkflow(service, {
      ...graph([start, assign], ['start > keep']),
      conversation: [{ name: 'kept', type: 'list', initial: [], description: '' }],
    });
    const { json } = await runWorkflow(service, workflow, { inputs: { texts: ['x'.repeat(2_000_000)] } });
    expect(json.data.failure).toMatchObject({
      code: 'variables_too_large',
      node_id: 'keep',
      message: 'The conversation variables have more than 100000 characters together. Keep less in them.',
    });
  });

  it('an answer that no response could hold fails its node, which names the limit', async () => {
    const workflow = await publishedWorkflow(
      service,
      graph([start, node('end', 'answer', { text: '{{start.texts}}' })], ['start > end']),
    );
    const { json } = await runWorkflow(service, workflow, { inputs: { texts: ['x'.repeat(1_000_001)] } });
    expect(json.data.failure).toMatchObject({
      code: 'too_large',
      node_id: 'end',
      message: expect.stringContaining('more than 1000000 characters'),
    });
  });
});

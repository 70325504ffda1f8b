import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPartition } from '../../../functions/adapters/dynamodb/keys.ts';
import { DynamoTable } from '../../../functions/adapters/dynamodb/table.ts';
import { DynamoRunErasures } from '../../../functions/adapters/workflows/dynamo-run-erasures.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { runFlow } from '../../helpers/workflows/run-flow.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const twoSteps = graph(
  [
    node('start', 'start', {}),
    node('one', 'http_request', { method: 'GET', url: 'https://example.com/1' }),
    node('two', 'http_request', { method: 'GET', url: 'https://example.com/2' }),
    node('end', 'answer', { text: '{{two.text}}' }),
  ],
  ['start > one', 'one > two', 'two > end'],
);

it.each(['one', 'two'])('a function whose run is erased during node %s stores nothing more of it', async (during) => {
  let erased: { workspaceId: string; runId: string } | null = null;
  const flow = runFlow(dynamo, twoSteps, async ({ node: { id }, run }) => {
    if (id === during) {
      const { workspaceId, runId } = run;
      erased = { workspaceId, runId };
      const ports = { backoff: instantBackoff, clock: flow.clock };
      await new DynamoRunErasures(dynamo.client, TABLES.runs, ports).erase(erased);
    }
    return { text: 'a secret', status: 200 };
  });
  await flow.begin();
  expect(erased).not.toBeNull();
  expect(await flow.stored()).toBeNull();
  expect(await flow.openRuns()).toEqual([]);
  const { workspaceId, runId } = erased!;
  const left: object[] = [];
  for await (const item of new DynamoTable(dynamo.client, TABLES.runs).query({
    partition: runPartition(workspaceId, runId),
  }))
    left.push(item);
  expect(left).toEqual([expect.objectContaining({ events: '[]' })]);
});

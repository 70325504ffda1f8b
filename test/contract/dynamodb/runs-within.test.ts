import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoRunPlaces } from '../../../functions/adapters/workflows/dynamo-run-places.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff } from '../../helpers/fakes.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

it('counts a run within another one once, however often it is counted, also where the count is full', async () => {
  const places = new DynamoRunPlaces(dynamo.client, TABLES.runs, instantBackoff);
  const root = { workspaceId: 'ws_one', runId: 'run_root' };
  const count = (key: string, of = root) => places.countWithin(of, key, 3, 0);
  expect([await count('a'), await count('a'), await count('a')]).toEqual([true, true, true]);
  expect(await Promise.all(['b', 'c', 'b'].map((key) => count(key)))).toEqual([true, true, true]);
  expect([await count('d'), await count('a'), await count('d')]).toEqual([false, true, false]);
  expect(await count('d', { ...root, runId: 'run_other' })).toBe(true);
});

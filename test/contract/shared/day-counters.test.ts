import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoDayCounters } from '../../../functions/adapters/shared/dynamo-day-counters.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

it('counters of a day add up atomically, each by itself, and expire', async () => {
  const counters = new DynamoDayCounters(dynamo.client, TABLES.limits);
  const day = '2026-11-27';
  expect(await counters.read('pages', day)).toBe(0);
  const after = await Promise.all(Array.from({ length: 12 }, () => counters.add('pages', day, 2)));
  expect(after.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => 2 * (i + 1)));
  expect(await counters.read('pages', day)).toBe(24);
  expect(await counters.add('pages', '2026-11-28', 1)).toBe(1);
  expect(await counters.add('pages 192.0.2.1', day, 1)).toBe(1);
  const [item] = await dynamo.items('limits', `LIMIT#day ${day}#pages`);
  expect(item).toMatchObject({ expiresAt: Date.parse('2026-11-29') / 1000 });
});

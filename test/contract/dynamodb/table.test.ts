import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ABSENT, above, atLeast, equal, missing } from '../../../functions/adapters/dynamodb/expressions.ts';
import { DynamoTable, type Key } from '../../../functions/adapters/dynamodb/table.ts';
import { transact } from '../../../functions/adapters/dynamodb/transactions.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff } from '../../helpers/fakes.ts';

let dynamo: EmbeddedDynamo;
let table: DynamoTable;
let pk: string;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  table = new DynamoTable(dynamo.client, TABLES.runners);
});
afterAll(() => dynamo.stop());
beforeEach(() => {
  pk = randomUUID();
});

const key = (sk: number | string): Key => ({ pk, sk: String(sk) });
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ ...key(1000 + n), n }));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a key longer than DynamoDB takes', () => {
  // A character of Hangul has three bytes.
  it.each([
    { pk: 'p', sk: 'a'.repeat(1025) },
    { pk: 'p', sk: '가'.repeat(342) },
    { pk: 'p'.repeat(2049), sk: 'a' },
  ])('has no item', async (long) => {
    expect(await table.get(long)).toBeNull();
    expect(await table.delete(long)).toBe(false);
  });
});

describe('a conditional write', () => {
  it('that fails changes nothing, and gives the item that was in the way', async () => {
    expect(await table.put({ ...key('a'), n: 1 }, ABSENT)).toMatchObject({ written: true });
    const inTheWay = { ...key('a'), n: 1 };
    expect(await table.put({ ...key('a'), n: 2 }, ABSENT)).toEqual({ written: false, item: inTheWay });
    const change = { set: { n: 3 }, condition: equal('n', 2) };
    expect(await table.updateItem(key('a'), change)).toEqual({ written: false, item: inTheWay });
    expect(await table.update(key('a'), change)).toBe(false);
    expect(await table.delete(key('a'), equal('n', 2))).toBe(false);
    expect(await table.get(key('a'))).toEqual(inTheWay);
  });

  it.each([
    ['without a condition', {}],
    ['whose condition a missing item meets', { condition: missing('n') }],
  ])('does not bring back a deleted item by an update %s', async (_, condition) => {
    const change = { set: { n: 3 }, ...condition };
    expect(await table.updateItem(key('a'), change)).toEqual({ written: false, item: null });
    expect(await table.update(key('a'), change)).toBe(false);
    const cancelled = await transact(dynamo.client, [['update', table.updatePart(key('a'), change)]]);
    expect(cancelled?.failed('update')).toBe(true);
    expect(await table.get(key('a'))).toBeNull();
    expect(await table.update(key('a'), { ...change, orCreate: true })).toBe(true);
    expect(await table.get(key('a'))).toEqual({ ...key('a'), n: 3 });
  });

  it('sets, increments and removes at once, and gives the item after it', async () => {
    await table.put({ ...key('a'), n: 1, status: 'old', owner: 'run_1' });
    const change = {
      set: { status: 'new' },
      increment: { n: -2 },
      remove: ['owner', 'never'],
      condition: atLeast('n', 1),
    };
    const item = { ...key('a'), n: -1, status: 'new' };
    expect(await table.updateItem(key('a'), change)).toEqual({ written: true, item });
    expect(await table.delete(key('a'), equal('status', 'new'))).toBe(true);
    expect(await table.get(key('a'))).toBeNull();
  });

  it('of many at once succeeds once', async () => {
    await table.put({ ...key('a'), version: 1 });
    const change = { set: { version: 2 }, condition: equal('version', 1) };
    const written = await Promise.all(Array.from({ length: 10 }, () => table.update(key('a'), change)));
    expect(written.filter(Boolean)).toHaveLength(1);
  });

  it('is a part of a transaction with the same condition', async () => {
    await table.put({ ...key('a'), n: 1 });
    const parts = (n: number) =>
      [
        ['new', table.putPart({ ...key('b') })],
        ['changed', table.updatePart(key('a'), { set: { n: n + 1 }, condition: equal('n', n) })],
      ] as const;
    const cancelled = await transact(dynamo.client, parts(7));
    expect([cancelled?.failed('new'), cancelled?.failed('changed')]).toEqual([false, true]);
    expect(await table.get(key('b'))).toBeNull();
    expect(await transact(dynamo.client, parts(1))).toBeNull();
    expect(await table.get(key('a'))).toMatchObject({ n: 2 });
  });
});

describe('many items', () => {
  it('are put and got in as many calls as it takes', async () => {
    const items = numbered(60);
    await table.putAll(items, instantBackoff);
    expect(await all(table.query({ partition: pk }))).toEqual(items);
    const some = [items[3]!, items[59]!].map(({ sk }) => key(sk));
    const found = await table.getAll<{ n: number }>([...some, key('missing')]);
    expect(found.map(({ n }) => n).sort((a, b) => a - b)).toEqual([3, 59]);
    expect(await table.getAll([])).toEqual([]);
  });

  it('are queried by prefix, in either order, from a key on, and by a filter', async () => {
    const items = numbered(12);
    await table.putAll([...items, { ...key('other'), n: 99 }], instantBackoff);
    const partition = pk;
    expect(await all(table.query({ partition, prefix: '101' }))).toEqual(items.slice(10));
    expect(await all(table.query({ partition, prefix: '1', filter: above('n', 9) }))).toEqual(items.slice(10));
    const first = await table.page({ partition, prefix: '1', descending: true, limit: 5 });
    expect(first.items).toEqual(items.toReversed().slice(0, 5));
    const next = await table.page({ partition, prefix: '1', descending: true, limit: 5, after: first.last! });
    expect(next.items).toEqual(items.toReversed().slice(5, 10));
    expect((await table.page({ partition, limit: 100 })).last).toBeUndefined();
  });

  it('of one megabyte a page are all found', async () => {
    const text = 'x'.repeat(300_000);
    for (const item of numbered(5)) await table.put({ ...item, text });
    expect((await all(table.query<{ n: number }>({ partition: pk }))).map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
  });
});

it('only the attributes that are asked for are read', async () => {
  await table.put({ ...key('a'), status: 'running', owner: 'run_1', text: 'long' });
  expect(await table.get(key('a'), { attributes: ['status', 'owner'], consistent: false })).toEqual({
    status: 'running',
    owner: 'run_1',
  });
});

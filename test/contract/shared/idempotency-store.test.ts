import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoIdempotency } from '../../../functions/adapters/shared/dynamo-idempotency.ts';
import type { Claim, ClaimOutcome, ClaimRequest } from '../../../functions/shared/idempotency/idempotency-store.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

const NOW_MS = Date.parse('2026-11-21T03:00:00Z');
const LEASE_MS = 34_000;
const DAY_MS = 24 * 60 * 60_000;

let dynamo: EmbeddedDynamo;
let store: DynamoIdempotency;
let key = '';
let tests = 0;

beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  store = new DynamoIdempotency(dynamo.client, TABLES.idempotency);
});
afterAll(() => dynamo.stop());
beforeEach(() => {
  key = `key-${++tests}`;
});

function request(owner: string, changes: Partial<ClaimRequest> = {}): ClaimRequest {
  const nowMs = changes.nowMs ?? NOW_MS;
  return {
    workspaceId: 'ws_1',
    path: '/a',
    key,
    bodyHash: 'h1',
    owner,
    nowMs,
    leaseUntilMs: nowMs + LEASE_MS,
    ...changes,
  };
}

async function claim(owner: string, changes: Partial<ClaimRequest> = {}): Promise<Claim> {
  const outcome = await store.claim(request(owner, changes));
  if (outcome.kind !== 'claimed') throw new Error(`The claim of ${owner} is ${outcome.kind}.`);
  return outcome.claim;
}

function complete(held: Claim, response: string, nowMs = NOW_MS): Promise<unknown> {
  return dynamo.client.send(new TransactWriteCommand({ TransactItems: [store.completion(held, response, nowMs)] }));
}

describe('a claim', () => {
  it('is given to one of many callers', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => store.claim(request(`owner-${i}`))));
    const count = (kind: ClaimOutcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
    expect([count('claimed'), count('in_progress')]).toEqual([1, 19]);
  });

  it("a running call's record holds its body and its lease", async () => {
    await claim('first');
    expect(await store.claim(request('second', { bodyHash: 'h2' }))).toEqual({
      kind: 'in_progress',
      bodyHash: 'h1',
      leaseUntilMs: NOW_MS + LEASE_MS,
    });
  });

  it('is kept apart by workspace and by path', async () => {
    await claim('first');
    await claim('second', { workspaceId: 'ws_2' });
    await claim('third', { path: '/b' });
  });

  it('made twice by the same owner is one claim: the SDK repeats what it got no answer for', async () => {
    await claim('first');
    await claim('first');
  });

  it('ends with its lease', async () => {
    await claim('first');
    expect(await store.claim(request('second', { nowMs: NOW_MS + LEASE_MS - 1 }))).toMatchObject({
      kind: 'in_progress',
    });
    await claim('second', { nowMs: NOW_MS + LEASE_MS });
  });
});

describe('a completed claim', () => {
  it('gives its response for 24 hours, and is free after that', async () => {
    const response = JSON.stringify({ drugName: '가나정'.repeat(1000) });
    await complete(await claim('first'), response);
    const last = request('second', { nowMs: NOW_MS + DAY_MS - 1000 });
    expect(await store.claim(last)).toEqual({ kind: 'completed', bodyHash: 'h1', response });
    await claim('third', { nowMs: NOW_MS + DAY_MS });
  });

  it('is not given back by a late release, nor completed again', async () => {
    const held = await claim('first');
    await complete(held, '"first"');
    await store.release(held);
    await expect(complete(held, '"again"')).rejects.toThrow('ConditionalCheckFailed');
    expect(await store.claim(request('second'))).toMatchObject({ kind: 'completed', response: '"first"' });
  });
});

describe('a claim that was lost', () => {
  it('can be neither completed nor released by its former owner', async () => {
    const lost = await claim('first');
    await claim('second', { nowMs: NOW_MS + LEASE_MS });
    await expect(complete(lost, '"first"')).rejects.toThrow('ConditionalCheckFailed');
    await store.release(lost);
    expect(await store.claim(request('third', { nowMs: NOW_MS + LEASE_MS }))).toMatchObject({ kind: 'in_progress' });
  });
});

describe('release', () => {
  it('frees the key, for another body too', async () => {
    await store.release(await claim('first'));
    await claim('second', { bodyHash: 'h2' });
  });

  it('of everything frees the running calls, and keeps the completed ones', async () => {
    await complete(await claim('first'), '"first"');
    await claim('running', { key: `${key}-2` });
    await store.releaseAll();
    await claim('second', { key: `${key}-2` });
    expect(await store.claim(request('second'))).toMatchObject({ kind: 'completed' });
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountBusy } from '../../../functions/accounts/domain/change-account.ts';
import { DynamoIdempotency } from '../../../functions/adapters/shared/dynamo-idempotency.ts';
import { acceptBatch } from '../../../functions/extraction/domain/batch/accept-batch.ts';
import { processImage } from '../../../functions/extraction/domain/batch/process-image.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import { batchFlow } from '../../helpers/batch-flow.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import {
  extractCommand,
  extractionsOf,
  extractPorts,
  LEASE_SECONDS,
  openAccount,
  PATH,
  traces,
} from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { expectExactLedger, leaveWaiting, linePorts, lineWith, openCrowdedAccount } from '../../helpers/line-flow.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const itemsInLine = (workspaceId: string) => dynamo.items('extractions', `WORKSPACE#${workspaceId}#SETTLEMENTS`);

/** An image of a batch whose worker died in the line. */
async function leaveImageWaiting(clock: TestClock, workspaceId: string) {
  const { ports, messages } = batchFlow(dynamo, clock);
  const batch = { imageUrls: ['https://example.com/page.png'], images: [], idempotency: null };
  const { job } = await acceptBatch({ ...batch, workspaceId, pollUrl: (id) => id }, ports);
  const [image] = messages;
  const { ports: mortal } = faultyPorts(ports, 'killed before', 'line.takeTurn');
  await expect(processImage(image!, clock.now() + 300_000, mortal)).rejects.toThrow();
  return { image: image!, find: () => ports.jobs.find(workspaceId, job.jobId), ports };
}

describe('a caller that posts the settlements of others', () => {
  /** Three settlements whose callers are dead, and a fourth caller that meets the fault. */
  async function run(fault: Fault | null, at: number) {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 2000 });
    const keyed = await leaveWaiting(dynamo, clock, workspaceId, 'other');
    const image = await leaveImageWaiting(clock, workspaceId);
    const unkeyed = await leaveWaiting(dynamo, clock, workspaceId, null);
    const { ports, calls } = faultyPorts(linePorts(dynamo, clock), fault, at);
    const first = await extract(extractCommand(workspaceId, 'own', clock), ports).then(
      (outcome) => ({ outcome }),
      () => null,
    );
    return { clock, workspaceId, keyed, unkeyed, image, calls, first };
  }

  for (const fault of FAULTS) {
    it(`${fault}: at every port call, each of them is charged once, and retries find the charges`, async () => {
      const whole = await run(null, 0);
      expect((await expectExactLedger(dynamo, whole.workspaceId, 2000)).charged).toHaveLength(4);
      expect(await itemsInLine(whole.workspaceId)).toEqual([]);

      const begin = whole.calls.indexOf('line.join');
      for (const at of sampledCalls(whole.calls.length, begin)) {
        const { clock, workspaceId, keyed, unkeyed, image, first } = await run(fault, at);
        const here = `${fault} ${whole.calls[at]}`;
        // The next caller posts the remaining ones, as long as they may be posted.
        clock.advance(1.5);
        const next = await extract(extractCommand(workspaceId, 'next', clock), linePorts(dynamo, clock));
        expect(await itemsInLine(workspaceId), here).toEqual([]);

        clock.advance(LEASE_SECONDS + 1);
        const ports = linePorts(dynamo, clock);
        const own = await extract(extractCommand(workspaceId, 'own', clock), ports);
        const other = await extract(extractCommand(workspaceId, 'other', clock), ports);
        clock.advance(300);
        await processImage(image.image, clock.now() + 300_000, image.ports);

        if (first !== null) expect(own, here).toEqual({ ...first.outcome, replayed: true });
        expect(other.result.requestId, here).toBe(keyed);
        expect(other.replayed, here).toBe(true);
        const [ended] = (await image.find())!.images;
        const imageId = ended?.outcome?.kind === 'completed' ? ended.outcome.extractionId : null;
        const { charged } = await expectExactLedger(dynamo, workspaceId, 2000);
        const expected = [keyed, unkeyed, imageId, own.result.requestId, next.result.requestId];
        expect(charged, here).toEqual(expected.map(String).sort());
      }
    });
  }
});

describe('a settlement in the line', () => {
  it('comes there by conflicts in a row, and its answer is replayed in full', async () => {
    const clock = testClock();
    const workspaceId = await openAccount(dynamo, { balanceKrw: 1000, freeCallsUsed: 10 });
    const { ports, calls } = faultyPorts(linePorts(dynamo, clock), null, 0);
    dynamo.database.conflictNextTransactions(4);
    const first = await extract(extractCommand(workspaceId, 'k', clock), ports);
    expect(calls).toContain('line.post');
    expect(first.result).toMatchObject({ foundTable: true, cost: { krw: 200, free: false }, balanceKrw: 800 });
    expect(await extract(extractCommand(workspaceId, 'k', clock), ports)).toEqual({ ...first, replayed: true });
    await expectExactLedger(dynamo, workspaceId, 1000);
  });

  it('is found by no reader until it is posted, and by its id then', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    const waiting = await leaveWaiting(dynamo, clock, workspaceId, null);
    const extractions = extractionsOf(dynamo, clock);
    expect(await extractions.find(workspaceId, waiting)).toBeNull();
    expect((await extractions.findAll(workspaceId, [waiting])).size).toBe(0);

    const { result } = await extract(extractCommand(workspaceId, null, clock), linePorts(dynamo, clock));
    const ids = [waiting, result.requestId];
    expect([...(await extractions.findAll(workspaceId, ids)).keys()]).toEqual(ids);
    expect(await extractions.find(workspaceId, waiting)).toMatchObject({
      extractionId: waiting,
      createdAt: new Date(clock.now()).toISOString(),
      page: { items: result.items },
    });
    expect(await extractions.find('ws_other', waiting)).toBeNull();
    clock.advance(30 * 24 * 60 * 60);
    expect(await extractions.find(workspaceId, waiting)).toBeNull();
  });

  it('is not posted once its claim was lost, and does not hold up the others', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    const lost = await leaveWaiting(dynamo, clock, workspaceId, 'lost');
    const scope = { workspaceId, path: PATH, key: 'lost' };
    await new DynamoIdempotency(dynamo.client, TABLES.idempotency).release({ ...scope, owner: lost });
    const kept = await leaveWaiting(dynamo, clock, workspaceId, 'kept');
    const { result } = await extract(extractCommand(workspaceId, null, clock), linePorts(dynamo, clock));
    const { charged } = await expectExactLedger(dynamo, workspaceId, 1000);
    expect(charged).toEqual([kept, result.requestId].sort());
    expect(await itemsInLine(workspaceId)).toEqual([]);
  });

  it('whose caller failed and could not take it out again is not charged when its key was freed', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    const ports = linePorts(dynamo, clock);
    const unavailable = () => Promise.reject(new Error('unavailable'));
    const line = lineWith(ports.line, { takeTurn: unavailable, drop: unavailable });
    await expect(extract(extractCommand(workspaceId, 'k', clock), { ...ports, line })).rejects.toThrow('unavailable');
    expect(await itemsInLine(workspaceId)).toHaveLength(1);
    const again = await extract(extractCommand(workspaceId, 'k', clock), ports);
    expect((await expectExactLedger(dynamo, workspaceId, 1000)).charged).toEqual([again.result.requestId]);
  });

  it('is given up when it is not its turn in time, and is never charged then', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    const ports = linePorts(dynamo, clock);
    const blocked = { workspaceId, holder: 'another', untilMs: clock.now() + 3_600_000 };
    expect(await ports.line.takeTurn(blocked, clock.now())).toBe(true);
    await expect(extract(extractCommand(workspaceId, 'k', clock), ports)).rejects.toThrow(AccountBusy);
    expect(await itemsInLine(workspaceId)).toEqual([]);
    await ports.line.endTurn(blocked);
    await extract(extractCommand(workspaceId, null, clock), ports);
    expect((await expectExactLedger(dynamo, workspaceId, 1000)).charged).toHaveLength(1);
  });

  it('is posted by no one after its deadline: its caller has got an error', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    const late = await leaveWaiting(dynamo, clock, workspaceId, null);
    const ports = linePorts(dynamo, clock);
    clock.advance(10);
    const other = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    await leaveWaiting(dynamo, clock, other, null);
    expect(await itemsInLine(workspaceId)).toHaveLength(1);
    dynamo.database.conflictNextTransactions(3);
    const { result } = await extract(extractCommand(workspaceId, null, clock), ports);
    expect((await expectExactLedger(dynamo, workspaceId, 1000)).charged).toEqual([result.requestId]);
    expect(await itemsInLine(workspaceId)).toEqual([]);
    expect(await ports.line.state({ ...waitingOf(workspaceId), extractionId: late })).toEqual({ kind: 'gone' });
  });

  it('that the balance does not cover is dropped, and its caller gets to know why', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 500 });
    await leaveWaiting(dynamo, clock, workspaceId, null);
    await leaveWaiting(dynamo, clock, workspaceId, 'second');
    const third = extract(extractCommand(workspaceId, 'third', clock), linePorts(dynamo, clock));
    await expect(third).rejects.toMatchObject({
      refusal: 'insufficient_balance',
      details: { balanceKrw: 100, requiredKrw: 200 },
    });
    expect((await expectExactLedger(dynamo, workspaceId, 500)).charged).toHaveLength(2);
    expect(await itemsInLine(workspaceId)).toEqual([]);
  });

  it('cannot be made to wait again by what arrives late', async () => {
    const clock = testClock();
    const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: 1000 });
    const { line } = linePorts(dynamo, clock);
    const { result } = await extract(extractCommand(workspaceId, null, clock), linePorts(dynamo, clock));
    const settled = { ...waitingOf(workspaceId), extractionId: result.requestId };
    const dropped = { ...waitingOf(workspaceId), extractionId: 'ext_dropped' };
    await line.join(dropped, result);
    await line.drop([dropped]);
    for (const late of [settled, dropped]) await expect(line.join(late, result)).rejects.toThrow('before');
    expect(await line.state(settled)).toMatchObject({ kind: 'settled', balanceKrw: 800 });
    expect(await line.state(dropped)).toEqual({ kind: 'gone' });
  });

  const waitingOf = (workspaceId: string) => ({
    workspaceId,
    keyId: null,
    completes: null,
    joinedAtMs: testClock().now(),
    deadlineMs: Number.MAX_SAFE_INTEGER,
  });
});

it('any crowd of calls, some of which die or fail: each answer has its entry, and each key is charged once', async () => {
  const call = fc.record({
    key: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
    fault: fc.option(fc.constantFrom(...FAULTS), { freq: 2 }),
    at: fc.integer({ min: 8, max: 30 }),
    ticks: fc.nat(10),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 2, maxLength: 10 }),
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 9, max: 10 }),
      async (calls, affordable, freeCallsUsed) => {
        const clock = testClock();
        const openedKrw = 200 * affordable + 100;
        const workspaceId = await openCrowdedAccount(dynamo, clock, { balanceKrw: openedKrw, freeCallsUsed });
        const answers = await Promise.all(
          calls.map(async ({ key, fault, at, ticks }) => {
            for (let n = 0; n < ticks; n++) await new Promise(setImmediate);
            const { ports } = faultyPorts(linePorts(dynamo, clock), fault, at);
            return extract(extractCommand(workspaceId, key, clock), ports).then(
              ({ result }) => ({ result, failed: false, fault }),
              () => ({ result: null, failed: true, fault }),
            );
          }),
        );
        const before = await expectExactLedger(dynamo, workspaceId, openedKrw);
        for (const { result } of answers) {
          if (result === null) continue;
          const entry = before.entries.find(({ reference }) => reference === result.requestId);
          expect(entry).toMatchObject({ balanceKrw: result.balanceKrw, amountKrw: -result.cost.krw || 0 });
        }
        // A call that met no fault, and got an error, was not charged; one that died may have been.
        const answered = new Set(answers.flatMap(({ result }) => result?.requestId ?? []));
        const deaths = answers.filter(({ result, fault }) => result === null && fault !== null).length;
        expect(before.charged.filter((id) => !answered.has(id)).length).toBeLessThanOrEqual(deaths);

        clock.advance(LEASE_SECONDS + 1);
        for (const key of ['a', 'b', 'c', 'd']) {
          const [first, second] = [1, 2].map(() =>
            extract(extractCommand(workspaceId, key, clock), extractPorts(dynamo, clock)).then(
              ({ result }) => result.requestId,
              (error) => error.refusal,
            ),
          );
          const outcomes = [await first, await second];
          const ids = outcomes.filter((outcome) => String(outcome).startsWith('ext_'));
          expect(new Set(ids).size).toBeLessThanOrEqual(1);
        }
        const { charged, account } = await expectExactLedger(dynamo, workspaceId, openedKrw);
        expect(charged.length).toBeGreaterThanOrEqual(before.charged.length);
        expect(account.freeCallsUsed).toBeLessThanOrEqual(10);
        await traces(dynamo, workspaceId);
      },
    ),
    { numRuns: 15 },
  );
});

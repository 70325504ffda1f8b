import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptBatch } from '../../../functions/extraction/domain/batch/accept-batch.ts';
import { progressOf } from '../../../functions/extraction/domain/batch/job.ts';
import { processImage } from '../../../functions/extraction/domain/batch/process-image.ts';
import { giveUpImage, reconcileJobs } from '../../../functions/extraction/domain/batch/reconcile-jobs.ts';
import type { ImageId } from '../../../functions/extraction/domain/image-outcome.ts';
import { ReaderUnavailable } from '../../../functions/extraction/domain/reading/reader-unavailable.ts';
import { batchFlow } from '../../helpers/batch-flow.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import { drugPage, judgeOf, openAccount, traces } from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const LEASE_MS = 300_000;
const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A job of `total` images over the embedded DynamoDB, its messages in a list. */
async function startJob(total: number, funds: { balanceKrw: number; freeCallsUsed: number }) {
  const clock = testClock();
  const workspaceId = await openAccount(dynamo, funds);
  const { ports, messages, givenUp } = batchFlow(dynamo, clock);
  const { job } = await acceptBatch(
    {
      workspaceId,
      imageUrls: Array<string>(total).fill('https://example.com/page.png'),
      images: [],
      idempotency: null,
      pollUrl: (id) => id,
    },
    ports,
  );
  const work = (id: ImageId, fault: Fault | null = null, at: number | string = 0) => {
    const { ports: faulty, calls } = faultyPorts(ports, fault, at);
    return processImage(id, clock.now() + LEASE_MS, faulty).then(
      (outcome) => ({ outcome, calls }),
      () => ({ outcome: 'retry' as const, calls }),
    );
  };
  return { clock, workspaceId, jobId: job.jobId, jobs: ports.jobs, messages, givenUp, ports, work };
}

type Started = Awaited<ReturnType<typeof startJob>>;

/** The invariant: every image is accounted for, and a good one is paid for exactly once. */
async function expectExact({ workspaceId, jobId, jobs }: Started, balanceKrw: number, free: number) {
  const job = (await jobs.find(workspaceId, jobId))!;
  const { completed, failed, cost, completedAt } = progressOf(job);
  expect(completed + failed).toBe(job.images.length);
  expect(completedAt).not.toBeNull();
  const { account, entries, extractions } = await traces(dynamo, workspaceId);
  expect(account.balanceKrw).toBe(balanceKrw - cost.krw);
  expect(account.balanceKrw).toBeGreaterThanOrEqual(0);
  expect(cost.krw).toBe(200 * (completed - cost.freeCalls));
  expect(cost.freeCalls).toBe(Math.min(free, completed));
  const ids = job.images.flatMap(({ outcome }) => (outcome?.kind === 'completed' ? [outcome.extractionId] : []));
  expect(entries.map(({ reference }) => reference).sort()).toEqual(ids.sort());
  expect(extractions.flatMap(({ extractionId }) => extractionId ?? []).length).toBe(completed);
  return { completed, failed };
}

it.each(FAULTS)(
  '%s: at every port call, redelivery after the lease ends the image, and charges it once',
  async (fault) => {
    const whole = await startJob(1, { balanceKrw: 1000, freeCallsUsed: 10 });
    const { calls } = await whole.work(whole.messages[0]!);
    expect(calls.length).toBeGreaterThan(8);
    for (const at of sampledCalls(calls.length)) {
      const job = await startJob(1, { balanceKrw: 1000, freeCallsUsed: 10 });
      const [message] = job.messages;
      await job.work(message!, fault, at);
      job.clock.advance(LEASE_MS / 1000 + 1);
      for (const _ of ['once more', 'and twice']) expect((await job.work(message!)).outcome).toBe('ack');
      expect(await expectExact(job, 1000, 0)).toEqual({ completed: 1, failed: 0 });
    }
  },
);

it('two deliveries at once: one works, the other comes again; one whose lease has lapsed cannot charge', async () => {
  const job = await startJob(1, { balanceKrw: 1000, freeCallsUsed: 10 });
  const [message] = job.messages as [ImageId];
  const begun = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<typeof drugPage>();
  const pages = judgeOf(() => {
    begun.resolve();
    return slow.promise;
  });
  const first = processImage(message, job.clock.now() + LEASE_MS, { ...job.ports, pages });
  await begun.promise;
  expect((await job.work(message)).outcome).toBe('retry');
  job.clock.advance(LEASE_MS / 1000 + 1);
  expect((await job.work(message)).outcome).toBe('ack');
  slow.resolve(drugPage);
  await first.catch(() => undefined);
  await expectExact(job, 1000, 0);
});

it('dead letters fail an image that no worker holds, and leave a finished one unchanged', async () => {
  const job = await startJob(2, { balanceKrw: 1000, freeCallsUsed: 10 });
  const [first, second] = job.messages as [ImageId, ImageId];
  await job.work(first);
  for (const message of [first, second]) expect(await giveUpImage(message, job.ports)).toBe('ack');
  expect(await expectExact(job, 1000, 0)).toEqual({ completed: 1, failed: 1 });
});

it('an image that kills its worker again and again is given up at the fifth delivery, free of charge', async () => {
  const job = await startJob(1, { balanceKrw: 1000, freeCallsUsed: 10 });
  const [message] = job.messages as [ImageId];
  for (let death = 1; death <= 4; death++) {
    await job.work(message, 'killed before', 'pages.judge');
    job.clock.advance(LEASE_MS / 1000 + 1);
  }
  expect(job.givenUp).toEqual([]);
  for (const _ of ['fifth', 'once more']) expect((await job.work(message)).outcome).toBe('ack');
  expect(job.givenUp).toEqual([message]);
  expect(await expectExact(job, 1000, 0)).toEqual({ completed: 0, failed: 1 });
});

it('a passing failure, however often, is not held against the image', async () => {
  const job = await startJob(1, { balanceKrw: 1000, freeCallsUsed: 10 });
  const [message] = job.messages as [ImageId];
  const pages = judgeOf(() => Promise.reject(new ReaderUnavailable('Textract throttles us.')));
  for (let delivery = 1; delivery <= 9; delivery++) {
    const delivered = processImage(message, job.clock.now() + LEASE_MS, { ...job.ports, pages });
    await expect(delivered).rejects.toThrow('throttles');
  }
  const waiting = (await job.jobs.find(job.workspaceId, job.jobId))!;
  expect(waiting.images[0]).toMatchObject({ status: 'queued', outcome: null });
  expect((await job.work(message)).outcome).toBe('ack');
  expect(await expectExact(job, 1000, 0)).toEqual({ completed: 1, failed: 0 });
});

it('messages that are lost are queued again, at once after a restart and in an hour otherwise; then the job is closed', async () => {
  const job = await startJob(3, { balanceKrw: 1000, freeCallsUsed: 10 });
  const lost = job.messages.splice(0);
  await reconcileJobs(job.ports);
  expect(job.messages).toEqual([]);
  await reconcileJobs(job.ports, { afterRestart: true });
  const mine = job.messages.filter(({ jobId }) => jobId === job.jobId);
  expect(mine).toEqual(lost);
  job.messages.length = 0;
  job.clock.advance(3601);
  await reconcileJobs(job.ports);
  for (const message of job.messages.filter(({ jobId }) => jobId === job.jobId)) await job.work(message);
  expect(await expectExact(job, 1000, 0)).toEqual({ completed: 3, failed: 0 });
  await reconcileJobs(job.ports);
  for await (const open of job.ports.openJobs.list()) expect(open.jobId).not.toBe(job.jobId);
});

it('any interleaving of workers, retries and crashes charges each image once at most, and counts exactly', async () => {
  const delivery = fc.record({
    image: fc.nat(3),
    fault: fc.option(fc.constantFrom(...FAULTS)),
    at: fc.nat(14),
    beside: fc.boolean(),
    lapse: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(delivery, { maxLength: 10 }),
      fc.integer({ min: 200, max: 900 }),
      fc.integer({ min: 8, max: 10 }),
      async (deliveries, balanceKrw, freeCallsUsed) => {
        const job = await startJob(4, { balanceKrw, freeCallsUsed });
        let beside: Promise<unknown>[] = [];
        for (const { image, fault, at, ...how } of deliveries) {
          const run = job.work(job.messages[image]!, fault, at);
          if (how.beside) beside.push(run);
          else await run;
          if (how.lapse) job.clock.advance(LEASE_MS / 1000 + 1);
        }
        await Promise.all(beside);
        beside = [];
        job.clock.advance(LEASE_MS / 1000 + 1);
        for (const message of job.messages) expect((await job.work(message)).outcome).toBe('ack');
        const { completed } = await expectExact(job, balanceKrw, 10 - freeCallsUsed);
        const readable = 4 - job.givenUp.length;
        expect(completed).toBe(Math.min(readable, 10 - freeCallsUsed + Math.floor(balanceKrw / 200)));
      },
    ),
    { numRuns: 25 },
  );
});

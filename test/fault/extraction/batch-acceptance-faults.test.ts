import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptBatch } from '../../../functions/extraction/domain/batch/accept-batch.ts';
import { progressOf } from '../../../functions/extraction/domain/batch/job.ts';
import { processImage } from '../../../functions/extraction/domain/batch/process-image.ts';
import { reconcileJobs } from '../../../functions/extraction/domain/batch/reconcile-jobs.ts';
import { batchFlow } from '../../helpers/batch-flow.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import { openAccount, traces } from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const LEASE_SECONDS = 34;
const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A workspace that sends a batch of two addresses and one inline image, with an Idempotency-Key. */
async function openClient() {
  const clock = testClock();
  const workspaceId = await openAccount(dynamo, { balanceKrw: 1000, freeCallsUsed: 10 });
  const { ports, messages } = batchFlow(dynamo, clock);
  const url = 'https://example.com/page.png';
  const command = {
    workspaceId,
    imageUrls: [url, url],
    images: ['AAAA'],
    idempotency: { path: '/batch', key: 'order-1', bodyHash: 'hash', leaseSeconds: LEASE_SECONDS },
    pollUrl: (jobId: string) => `https://example.com/jobs/${jobId}`,
  };
  async function accept(fault: Fault | null = null, at: number | string = 0) {
    const { ports: faulty, calls } = faultyPorts(ports, fault, at);
    const accepted = await acceptBatch(command, faulty).catch(() => null);
    return { accepted, calls };
  }
  async function processAll() {
    for (const message of messages.splice(0)) await processImage(message, clock.now() + 300_000, ports);
  }
  return { clock, workspaceId, ports, messages, accept, processAll };
}

type Client = Awaited<ReturnType<typeof openClient>>;

/** One job, all three images read, each paid for once; the reconciler then knows of no job any more. */
async function expectOneJob({ workspaceId, ports }: Client, jobId: string) {
  const { account, entries, extractions } = await traces(dynamo, workspaceId);
  expect(extractions.filter(({ total }) => total !== undefined).map((head) => head.jobId)).toEqual([jobId]);
  const progress = progressOf((await ports.jobs.find(workspaceId, jobId))!);
  expect(progress).toMatchObject({ status: 'completed', completed: 3, failed: 0, cost: { krw: 600, freeCalls: 0 } });
  expect(entries).toHaveLength(3);
  expect(account.balanceKrw).toBe(400);
  expect(await reconcileJobs(ports)).toMatchObject({ requeued: 0, failed: 0 });
  for await (const open of ports.openJobs.list()) expect.fail(`${open.jobId} is still open`);
}

it('a batch is accepted though other writes are at the same items', async () => {
  const client = await openClient();
  dynamo.database.conflictNextTransactions(2);
  const { accepted } = await client.accept();
  dynamo.database.conflictNextTransactions(0);
  await client.processAll();
  await expectOneJob(client, accepted!.job.jobId);
});

/** A restart of a single process, or the next round of the schedule after the accepting call has ended for certain. */
const RECONCILED = [
  ['after a restart', async ({ ports }) => reconcileJobs(ports, { afterRestart: true })],
  [
    'minutes later',
    async ({ ports, clock }) => {
      clock.advance(121);
      return reconcileJobs(ports);
    },
  ],
] as const satisfies [string, (client: Client) => Promise<unknown>][];

it.each(FAULTS.flatMap((fault) => RECONCILED.map(([when, reconcile]) => [fault, when, reconcile] as const)))(
  '%s: at every port call of the acceptance, one job comes of it when it is sent again, and is whole %s',
  async (fault, _, reconcile) => {
    const whole = await openClient();
    const { accepted, calls } = await whole.accept();
    await whole.processAll();
    await expectOneJob(whole, accepted!.job.jobId);
    expect(calls.length).toBeGreaterThan(6);
    for (const at of sampledCalls(calls.length)) {
      const client = await openClient();
      const first = await client.accept(fault, at);
      client.clock.advance(LEASE_SECONDS + 1);
      const { accepted: again } = await client.accept();
      expect(again).not.toBeNull();
      if (first.accepted) expect(again).toEqual({ ...first.accepted, replayed: true });
      await client.processAll();
      await reconcile(client);
      await client.processAll();
      await expectOneJob(client, again!.job.jobId);
    }
  },
);

it.each(FAULTS)('%s: at every port call of the reconciler, its next round queues the lost messages', async (fault) => {
  for (let at = 0; ; at++) {
    const client = await openClient();
    const { accepted } = await client.accept();
    client.messages.length = 0;
    const { ports: faulty, calls } = faultyPorts(client.ports, fault, at);
    await reconcileJobs(faulty, { afterRestart: true }).catch(() => undefined);
    // The next round on AWS finds messages that are still lost an hour after they were queued.
    client.clock.advance(3601);
    await reconcileJobs(client.ports);
    await client.processAll();
    await expectOneJob(client, accepted!.job.jobId);
    if (at >= calls.length) {
      expect(at).toBeGreaterThan(2);
      return;
    }
  }
});

it.each([
  ['with none of its messages', 'fails before', 'queue.send'],
  ['with all of its messages', 'answer lost', 'queue.send'],
  ['with all but the note', 'fails before', 'openJobs.markSent'],
] as const)(
  'a job left %s is whole at the first round after its acceptance, and charged once',
  async (_, fault, call) => {
    const client = await openClient();
    const { accepted } = await client.accept(fault, call);
    expect(accepted).not.toBeNull();
    expect(await reconcileJobs(client.ports)).toMatchObject({ requeued: 0 });
    client.clock.advance(121);
    expect(await reconcileJobs(client.ports)).toMatchObject({ requeued: 3, failed: 0 });
    expect(await reconcileJobs(client.ports)).toMatchObject({ requeued: 0 });
    await client.processAll();
    await expectOneJob(client, accepted!.job.jobId);
  },
);

it.each(FAULTS)(
  '%s: at every port call of the round that finds a job unsent, the next one makes it whole',
  async (fault) => {
    for (let at = 0; ; at++) {
      const client = await openClient();
      const { accepted } = await client.accept('fails before', 'queue.send');
      client.clock.advance(121);
      const { ports: faulty, calls } = faultyPorts(client.ports, fault, at);
      await reconcileJobs(faulty).catch(() => undefined);
      client.clock.advance(300);
      await reconcileJobs(client.ports);
      await client.processAll();
      await expectOneJob(client, accepted!.job.jobId);
      if (at >= calls.length) {
        expect(at).toBeGreaterThan(3);
        return;
      }
    }
  },
);

/**
 * The schedule's rounds for a number of hours.
 * @returns the number of messages sent.
 */
async function reconcileHourly(client: Client, hours: number): Promise<number> {
  let sent = 0;
  for (let hour = 0; hour < hours; hour++) {
    client.clock.advance(3600);
    sent += (await reconcileJobs(client.ports)).requeued;
  }
  return sent;
}

it('a backlog of two days is not taken for lost messages: its images get a few more of them, and are charged once', async () => {
  const client = await openClient();
  const { accepted } = await client.accept();
  const images = client.messages.length;
  expect(await reconcileHourly(client, 48)).toBe(5 * images);
  expect(client.messages).toHaveLength(6 * images);
  await client.processAll();
  await expectOneJob(client, accepted!.job.jobId);
});

it('an image whose message is lost again and again ends as failed within three days, and the job with it', async () => {
  const client = await openClient();
  const { accepted } = await client.accept();
  client.messages.length = 0;
  await reconcileHourly(client, 72);
  const job = (await client.ports.jobs.find(client.workspaceId, accepted!.job.jobId))!;
  expect(progressOf(job)).toMatchObject({ status: 'failed', failed: 3, cost: { krw: 0 } });
  expect(job.images[0]!.outcome).toMatchObject({ error: { code: 'processing_failed' } });
  expect((await traces(dynamo, client.workspaceId)).entries).toEqual([]);
  await client.processAll();
  expect((await traces(dynamo, client.workspaceId)).entries).toEqual([]);
});

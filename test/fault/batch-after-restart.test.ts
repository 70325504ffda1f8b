import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptedJob, job as jobSchema } from '../../functions/extraction/schemas.ts';
import { call } from '../helpers/api.ts';
import { shortPage } from '../helpers/page-images.ts';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';

const BATCH_PATH = '/api/v1/edi-extract-lite/extract-batch-async';

let dataDir: string;
let image: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-batch-restart-'));
  image = (await shortPage()).toString('base64');
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function jobOf(service: ServiceProcess, jobId: string) {
  const { status, json } = await call(service, 'GET', `/api/v1/jobs/${jobId}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return jobSchema.parse(json);
}

async function until(
  service: ServiceProcess,
  jobId: string,
  isSo: (job: Awaited<ReturnType<typeof jobOf>>) => boolean,
) {
  for (;;) {
    const job = await jobOf(service, jobId);
    if (isSo(job)) return job;
    await sleep(50);
  }
}

// The embedded queue forgets its messages with the process; what is queued lives in DynamoDB.
it('a batch goes on after kill -9 and after SIGTERM, wherever they hit, and each image is paid for once', async () => {
  const first = await startServiceProcess({ dataDir });
  const accepted = await call(first, 'POST', BATCH_PATH, { body: { images: Array(4).fill(image) } });
  const { jobId } = acceptedJob.parse(accepted.json);
  await until(first, jobId, ({ images }) => images.some(({ status }) => status === 'processing'));
  await first.kill();

  const second = await startServiceProcess({ dataDir });
  await until(second, jobId, ({ completed }) => completed > 0);
  await second.stop();

  const third = await startServiceProcess({ dataDir });
  const job = await until(third, jobId, ({ completedAt }) => completedAt !== null);
  expect(job).toMatchObject({ status: 'completed', completed: 4, failed: 0, cost: { krw: 0, freeCalls: 4 } });
  const { json } = await call(third, 'GET', '/api/v1/balance/entries');
  const { entries } = json as { entries: readonly { type: string; reference: string }[] };
  const charged = entries.filter(({ type }) => type === 'extraction').map(({ reference }) => reference);
  expect(charged.sort()).toEqual(job.images.map(({ extractionId }) => extractionId).sort());
  await third.stop();
});

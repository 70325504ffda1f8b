import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptedJob } from '../../../functions/extraction/job-schemas.ts';
import { call } from '../../helpers/api.ts';
import { batchCall, finishedJob, jobWhen } from '../../helpers/batch.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { startServiceProcess } from '../../helpers/service.ts';

let dataDir: string;
let image: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-batch-restart-'));
  image = (await oneLinePage()).toString('base64');
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

// The embedded queue loses its messages with the process; queued work is in DynamoDB.
it('a batch continues after kill -9 and after SIGTERM at any moment, and each image is paid for once', async () => {
  const first = await startServiceProcess({ dataDir });
  const accepted = await batchCall(first, first, { images: Array(4).fill(image) });
  const { jobId } = acceptedJob.parse(accepted.json);
  await jobWhen(({ images }) => images.some(({ status }) => status === 'processing'), first, first, jobId);
  await first.kill();

  const second = await startServiceProcess({ dataDir });
  await jobWhen(({ completed }) => completed > 0, second, second, jobId);
  await second.stop();

  const third = await startServiceProcess({ dataDir });
  const job = await finishedJob(third, third, jobId);
  expect(job).toMatchObject({ status: 'completed', completed: 4, failed: 0, cost: { krw: 0, freeCalls: 4 } });
  const { json } = await call(third, 'GET', '/api/v1/balance/entries');
  const { entries } = json as { entries: readonly { type: string; reference: string }[] };
  const charged = entries.filter(({ type }) => type === 'extraction').map(({ reference }) => reference);
  expect(charged.sort()).toEqual(job.images.map(({ extractionId }) => extractionId).sort());
  await third.stop();
});

import type { LookupAllOptions } from 'node:dns';
import dns from 'node:dns/promises';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptedJob } from '../../../functions/extraction/job-schemas.ts';
import { upload as uploadSchema } from '../../../functions/extraction/schemas.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call, uploadCall } from '../../helpers/api.ts';
import { batchCall, finishedJob, type Job } from '../../helpers/batch.ts';
import { shortPage } from '../../helpers/page-images.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../../helpers/workspace.ts';

/** Private hostnames; no DNS of a test machine resolves them. */
const PRIVATE_NAMES: Readonly<Record<string, string>> = {
  'metadata.pictures.example': '169.254.169.254',
  'office.pictures.example': '10.1.2.3',
  'v6.pictures.example': 'fd00::1',
};
const { lookup } = dns;
// Of the one overload that the service calls.
Object.assign(dns, {
  lookup: async (host: string, options: LookupAllOptions) => {
    const address = PRIVATE_NAMES[host];
    return address === undefined ? lookup(host, options) : [{ address, family: address.includes(':') ? 6 : 4 }];
  },
});
syncBuiltinESMExports();

let service: InProcessService;
let page: Buffer;
let host: Server;
let hostUrl: string;

beforeAll(async () => {
  service = await startService();
  page = await shortPage();
  host = createServer((request, response) => {
    if (request.url === '/page.png') response.end(page);
    else if (request.url === '/cut-off.png') response.end(page.subarray(0, page.length / 2));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await service.stop();
});

/** An upload that the bucket fails to give out, however often it is asked: its metadata on the disk are no more. */
async function poisonedUpload(workspace: TestWorkspace): Promise<string> {
  const { json } = await uploadCall(service, workspace, { contentType: 'image/png' });
  const { uploadUrl, imageUrl } = uploadSchema.parse(json);
  const headers = { 'content-type': 'image/png' };
  expect((await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(page) })).status).toBe(200);
  const metadata = `${new URL(imageUrl).pathname}._S3rver_metadata.json`;
  await writeFile(join(service.dataDir, 's3', metadata), '{');
  expect((await fetch(imageUrl)).status).toBe(500);
  return imageUrl;
}

/** The dead letters take what has failed once. */
async function failOnlyOnce(): Promise<void> {
  const { BATCH_IMAGES_QUEUE_URL: QueueUrl } = environment('BATCH_IMAGES_QUEUE_URL');
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  const RedrivePolicy = JSON.stringify({ ...JSON.parse(Attributes!.RedrivePolicy!), maxReceiveCount: 1 });
  await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }));
  client.destroy();
}

const times = <T>(count: number, ...values: readonly T[]): T[] =>
  Array.from({ length: count }, (_, i) => values[i % values.length]!);

it('a hundred images, most of them hopeless and more good ones than the balance covers: each is accounted for', async () => {
  const workspace = await createWorkspace({ balanceKrw: 1900, freeCallsUsed: 8 });
  const kinds = [
    {
      expected: 'image_fetch_failed',
      imageUrls: times(
        50,
        'https://169.254.169.254/latest/meta-data/',
        'https://10.0.0.1/page.png',
        'https://192.168.0.1/page.png',
        'https://[fd00::1]/page.png',
        'http://172.16.0.1/page.png',
        ...Object.keys(PRIVATE_NAMES).map((name) => `https://${name}/page.png`),
      ),
    },
    { expected: 'image_fetch_failed', imageUrls: times(4, `${hostUrl}/missing.png`, 'http://127.0.0.1:1/page.png') },
    { expected: 'unreadable_image', imageUrls: times(6, `${hostUrl}/cut-off.png`) },
    { expected: 'good', imageUrls: times(10, `${hostUrl}/page.png`) },
    { expected: 'unsupported_media_type', images: times(10, Buffer.from('poison').toString('base64')) },
    { expected: 'good', images: times(10, page.toString('base64')) },
    { expected: 'unreadable_image', images: times(10, page.subarray(0, 2000).toString('base64')) },
  ];
  const imageUrls = kinds.flatMap((kind) => kind.imageUrls ?? []);
  const images = kinds.flatMap((kind) => kind.images ?? []);
  const expected = kinds.flatMap((kind) => times((kind.imageUrls ?? kind.images).length, kind.expected));
  expect(imageUrls.length + images.length).toBe(100);

  const { status, json } = await batchCall(service, workspace, { imageUrls, images });
  expect(status, JSON.stringify(json)).toBe(202);
  const { jobId } = acceptedJob.parse(json);
  const job = await finishedJob(service, workspace, jobId);

  // Two free calls, and nine that the balance covers; a hundred won are left.
  expect(job).toMatchObject({ status: 'completed', total: 100, completed: 11, failed: 89 });
  expect(job.cost).toEqual({ krw: 1800, freeCalls: 2 });
  expect(job.images.map(({ source }) => source)).toEqual([...imageUrls, ...images.map((_, i) => `images.${i}`)]);
  const told = job.images.map(({ error }) => error?.code ?? 'good');
  // A workspace without money gets only that error: nothing else is checked.
  for (const [index, code] of told.entries())
    if (code !== 'insufficient_balance') expect(code, job.images[index]!.source).toBe(expected[index]);
  expect(told.filter((code) => code === 'good')).toHaveLength(11);
  const refused = job.images.slice(0, 50).filter(({ error }) => error?.code === 'image_fetch_failed');
  expect(refused.length).toBeGreaterThan(0);
  for (const { error } of refused) expect(error!.message).toMatch(/public internet|an https address/);

  await expectMoneyExact(workspace, job);
  const full = await finishedJob(service, workspace, jobId, '?items=1');
  for (const { status: ended, items } of full.images)
    expect(items?.map(({ drugCode }) => drugCode)).toEqual(
      ended === 'completed' ? ['640007270', '641908100', '643308820'] : undefined,
    );
});

/** Every good image has its extraction and its entry in the ledger, and nothing else has. */
async function expectMoneyExact(workspace: TestWorkspace, { images }: Job): Promise<void> {
  const extractionIds = images.flatMap(({ extractionId }) => extractionId ?? []).sort();
  const { balanceKrw, freeCallsUsed, charges } = await tracesOf(workspace.workspaceId);
  expect({ balanceKrw, freeCallsUsed }).toEqual({ balanceKrw: 100, freeCallsUsed: 10 });
  expect(charges.map(({ reference }) => reference).sort()).toEqual(extractionIds);
  expect(charges.reduce((sum, { amountKrw }) => sum + amountKrw, 0)).toBe(-1800);
  const { json } = await call({ ...service, ...workspace }, 'GET', '/api/v1/balance');
  expect(json).toMatchObject({ balanceKrw: 100 });
}

it('a poisoned image ends among the dead letters, free of charge, and does not stop its job', async () => {
  const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  await failOnlyOnce();
  const imageUrls = [await poisonedUpload(workspace), `${hostUrl}/page.png`];
  const { json } = await batchCall(service, workspace, { imageUrls });
  const job = await finishedJob(service, workspace, acceptedJob.parse(json).jobId);
  expect(job).toMatchObject({ status: 'completed', completed: 1, failed: 1, cost: { krw: 200 } });
  expect(job.images.map(({ error }) => error?.code ?? 'good')).toEqual(['processing_failed', 'good']);
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 300, charges: [{ amountKrw: -200 }] });
});

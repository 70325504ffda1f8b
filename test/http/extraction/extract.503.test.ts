import { readFileSync } from 'node:fs';
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { SHIPPED_MASTER } from '../../../functions/adapters/drug-master/shipped-master.ts';
import type { ReaderPool } from '../../../functions/adapters/readers/pool/reader-pool.ts';
import { s3Client } from '../../../functions/adapters/s3/client.ts';
import { MASTER_OBJECT, SHIPPED_OBJECT } from '../../../functions/shared/resources.ts';
import { health } from '../../../functions/system/schemas.ts';
import { pageJudge } from '../../../functions/wiring/extraction/extraction.ts';
import { call, extractCall, problemOf } from '../../helpers/api.ts';
import { oneLinePage, samplePage } from '../../helpers/page-images.ts';
import { useOwnService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

// As on AWS: the master is in a bucket, and none was imported yet.
const service = useOwnService(async () => {
  await s3Client().send(new CreateBucketCommand({ Bucket: 'test-master' }));
  process.env.DRUG_MASTER = `s3://test-master/${MASTER_OBJECT}`;
});

it('503 master_missing until a drug master is imported, and nothing is charged; the health of the service says the same', async () => {
  const workspace = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
  const image = (await oneLinePage()).toString('base64');
  const answer = await extractCall(service, workspace, { image });
  expect([answer.status, problemOf(answer).code]).toEqual([503, 'master_missing']);
  expect(problemOf(answer).message).toContain('npm run master:import');
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 200, charges: [] });
  const { status, json } = await call(service, 'GET', '/api/v1/health', { key: null });
  expect([status, health.strict().parse(json)]).toMatchObject([
    503,
    { checks: { drugMaster: 'failing' }, error: { code: 'master_missing' } },
  ]);
  expect(JSON.stringify([answer.json, json])).not.toContain('test-master');

  const Body = readFileSync(SHIPPED_MASTER);
  await s3Client().send(new PutObjectCommand({ Bucket: 'test-master', Key: SHIPPED_OBJECT, Body }));
  expect((await call(service, 'GET', '/api/v1/health', { key: null })).status).toBe(200);
  expect((await extractCall(service, workspace, { image })).status).toBe(200);
});

it('503 try_again when the process that reads the page dies; nothing is charged, and the key is free', async () => {
  const workspace = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
  const image = (await samplePage()).toString('base64');
  const pool = (await pageJudge()) as ReaderPool;
  const answering = extractCall(service, workspace, { image }, 'order-1');
  let answered = false;
  const observed = answering.finally(() => {
    answered = true;
  });
  // Killed until it shows: at first it may still be waiting for the page.
  while (!answered) {
    for (const pid of pool.processIds) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const answer = await observed;
  expect(answer.status, JSON.stringify(answer.json)).toBe(503);
  expect(problemOf(answer)).toMatchObject({
    code: 'try_again',
    // Killed while it reads, or while the page is still being handed over.
    message: expect.stringMatching(
      /(ended \(SIGKILL\)|could not be reached \(.*\)).*can be sent again.*Nothing was charged/,
    ),
  });
  expect(answer.headers.get('retry-after')).toBe('1');
  const after = await tracesOf(workspace.workspaceId);
  expect(after).toMatchObject({ balanceKrw: 200, charges: [], extractions: [], idempotencyKeys: [] });

  const short = (await oneLinePage()).toString('base64');
  const again = await extractCall(service, workspace, { image: short }, 'order-1');
  expect(again.status, JSON.stringify(again.json)).toBe(200);
  expect((await tracesOf(workspace.workspaceId)).balanceKrw).toBe(0);
});

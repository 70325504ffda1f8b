import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';
import { S3OwnLists } from '../../../functions/adapters/drug-master/s3-own-lists.ts';
import { ownMaster } from '../../../functions/extraction/domain/master/own-list.ts';
import { type EmbeddedS3, startS3 } from '../../../local/embedded/s3.ts';

const BUCKET = 'own-lists';
const NOW = '2026-11-27T00:00:00.000Z';

let directory: string;
let server: EmbeddedS3;
let client: S3Client;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-own-lists-'));
  server = await startS3(join(directory, 's3'), [BUCKET]);
  client = new S3Client({
    region: 'ap-northeast-2',
    endpoint: server.url,
    forcePathStyle: true,
    credentials: server.key,
  });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
  await rm(directory, { recursive: true });
});

/** The house code that is in one workspace's list alone. */
const codeOf = (workspaceId: string) => workspaceId.toUpperCase();
const listOf = async (workspaceId: string) => {
  const rows = [
    ['code', 'name', 'price'],
    [codeOf(workspaceId), '가람정', '100'],
  ];
  return { packed: await packMaster(ownMaster(rows, NOW)), rows: 1, updatedAt: NOW };
};

it('the lists of many workspaces take no more memory than is allowed, and each keeps finding its own', async () => {
  const { length } = (await listOf('workspace0')).packed;
  const lists = new S3OwnLists(BUCKET, client, 3.5 * length);
  const workspaces = Array.from({ length: 8 }, (_, i) => `workspace${i}`);
  for (const id of workspaces) await lists.put(id, await listOf(id));
  for (const id of [...workspaces, ...workspaces]) {
    const list = await lists.of(id);
    expect(list?.find(codeOf(id))?.name).toBe('가람정');
    expect(list?.find(codeOf('workspace9'))).toBeNull();
    expect(lists.cachedLists).toBeLessThanOrEqual(3);
  }
  expect(lists.cachedLists).toBe(3);
});

it('a list larger than all the memory allowed is used, and alone', async () => {
  const lists = new S3OwnLists(BUCKET, client, 1);
  for (const id of ['small', 'large']) await lists.put(id, await listOf(id));
  expect((await lists.of('small'))?.find(codeOf('small'))).not.toBeNull();
  expect((await lists.of('large'))?.find(codeOf('large'))).not.toBeNull();
  expect(lists.cachedLists).toBe(1);
  await lists.remove('large');
  expect(await lists.of('large')).toBeNull();
  expect(lists.cachedLists).toBe(0);
});

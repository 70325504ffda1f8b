import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outboxItem } from '../../../functions/adapters/accounts/dynamo-outbox.ts';
import { openDynamoDatabase } from '../../../local/embedded/dynamodb/database.ts';
import { readMessage } from '../../helpers/mime.ts';
import { startServiceProcess } from '../../helpers/service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-restart-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

it('a notice that a crash left in the outbox is delivered by the next start, and shown in the terminal', async () => {
  const first = await startServiceProcess({ dataDir });
  await first.kill();
  const { workspaceId } = first;
  // As the transaction of a charge leaves it, when the process dies right after.
  const noticeId = `${workspaceId}-7`;
  const createdAt = new Date().toISOString();
  const notice = { noticeId, workspaceId, balanceKrw: 400, thresholdKrw: 500, createdAt };
  const database = await openDynamoDatabase(join(dataDir, 'dynamodb'));
  await database.execute('PutItem', { TableName: 'tripod-accounts', Item: marshall(outboxItem(notice)) });
  await database.close();

  const second = await startServiceProcess({ dataDir });
  const file = join(dataDir, 'mail', `${noticeId}.eml`);
  await expect.poll(() => readFile(file).catch(() => null), { timeout: 60_000 }).not.toBeNull();
  const { headers } = readMessage(await readFile(file));
  expect(headers.subject).toBe('[Tripod] Demo: 잔액 400원 / balance 400 KRW');
  expect(headers.to).toMatch(/^demo-.*@tripod\.localhost$/);
  await expect.poll(() => second.output(), { timeout: 60_000 }).toContain(file);
  await second.stop();
});

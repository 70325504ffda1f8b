import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { complete, completionOf, createApplication } from '../../helpers/chat.ts';
import { execute, FOREVER, isRunning, javascript, submit, until, whyNoSandbox } from '../../helpers/sandbox.ts';
import { type ServiceProcess, startServiceProcess } from '../../helpers/service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-charges-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const env = { PRICE_CHAT_KRW_PER_1K_TOKENS: '1000', PRICE_SANDBOX_KRW_PER_SECOND: '7' };

async function moneyOf(service: ServiceProcess) {
  const { json: balance } = await call(service, 'GET', '/api/v1/balance');
  const { json: page } = await call(service, 'GET', '/api/v1/balance/entries');
  const { entries } = page as { entries: { type: string; amountKrw: number }[] };
  const { balanceKrw } = balance as { balanceKrw: number };
  expect(balanceKrw).toBe(entries.reduce((sum, { amountKrw }) => sum + amountKrw, 0));
  return { balanceKrw, charges: entries.filter(({ type }) => type !== 'opening').map(({ type }) => type) };
}

it('kill -9 in the middle of a program charges nothing for it, and earlier charges stay', async ({ skip }) => {
  const first = await startServiceProcess({ dataDir, env });
  const cannot = await whyNoSandbox(first);
  if (cannot !== '') {
    await first.stop();
    skip(cannot);
  }
  const { id } = await createApplication(first);
  completionOf(await complete(first, id, {}));
  const { execution_id } = await submit(first, { language: 'javascript', code: FOREVER, timeout: 300 });
  await until(first, execution_id, isRunning);
  const before = await moneyOf(first);
  expect(before.charges).toEqual(['chat']);
  await first.kill();

  const second = await startServiceProcess({ dataDir, env });
  expect((await until(second, execution_id)).status).toBe('failed');
  expect(await moneyOf(second)).toEqual(before);
  // 2,100 KRW are held for the dead program, and do not get in the way of others.
  expect((await execute(second, javascript('console.log(1)'))).status).toBe(200);
  expect((await moneyOf(second)).charges).toEqual(['sandbox', 'chat']);
  await second.stop();
});

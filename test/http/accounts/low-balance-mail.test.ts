import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { call, extractCall } from '../../helpers/api.ts';
import { readMessage } from '../../helpers/mime.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let image: string;

beforeAll(async () => {
  image = (await oneLinePage()).toString('base64');
});

const mails = async ({ workspaceId }: TestWorkspace) => {
  const names = await readdir(join(service.dataDir, 'mail')).catch(() => []);
  return names.filter((name) => name.startsWith(workspaceId) && name.endsWith('.eml')).sort();
};

async function untilMails(workspace: TestWorkspace, count: number): Promise<string[]> {
  for (;;) {
    const found = await mails(workspace);
    if (found.length >= count) return found;
    await sleep(100);
  }
}

const paid = async (workspace: TestWorkspace) => {
  const { status, json } = await extractCall(service, workspace, { image });
  expect(status, JSON.stringify(json)).toBe(200);
};
const topUp = (workspace: TestWorkspace, amountKrw: number) =>
  call(service, 'POST', '/api/v1/balance/top-ups', {
    key: workspace.apiKey,
    body: { amountKrw, reference: `payment of ${amountKrw}` },
  });

it('the owner gets one e-mail when calls take the balance down to the threshold, and one more after a top-up', async () => {
  const workspace = await createWorkspace({ balanceKrw: 900, freeCallsUsed: 10 });
  const body = { lowBalanceThresholdKrw: 600 };
  expect((await call(service, 'PATCH', '/api/v1/balance', { key: workspace.apiKey, body })).status).toBe(200);

  await paid(workspace);
  await paid(workspace);
  const [first] = await untilMails(workspace, 1);
  const { headers, text } = readMessage(await readFile(join(service.dataDir, 'mail', first!)));
  expect(headers.to).toBe(`${workspace.workspaceId.toLowerCase()}@example.com`);
  expect(headers.subject).toBe('[Tripod] Another: 잔액 500원 / balance 500 KRW');
  expect(text).toContain('기준 600원 이하');
  expect(text).toContain('at or below your threshold of 600 KRW');

  await paid(workspace);
  await topUp(workspace, 301);
  await paid(workspace);
  const both = await untilMails(workspace, 2);
  expect(both).toHaveLength(2);
  const second = both.find((name) => name !== first);
  expect(readMessage(await readFile(join(service.dataDir, 'mail', second!))).headers.subject).toContain('401 KRW');
});

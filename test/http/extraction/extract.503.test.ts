import { expect, it } from 'vitest';
import type { ReaderPool } from '../../../functions/adapters/readers/pool/reader-pool.ts';
import { tableReader } from '../../../functions/extraction/wiring.ts';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { samplePage, shortPage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

it('503 try_again when the process that reads the page dies; nothing is charged, and the key is free', async () => {
  const workspace = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
  const image = (await samplePage()).toString('base64');
  const pool = (await tableReader()) as ReaderPool;
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

  const short = (await shortPage()).toString('base64');
  const again = await extractCall(service, workspace, { image: short }, 'order-1');
  expect(again.status, JSON.stringify(again.json)).toBe(200);
  expect((await tracesOf(workspace.workspaceId)).balanceKrw).toBe(0);
});

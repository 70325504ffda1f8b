import { afterAll, beforeAll, expect, it } from 'vitest';
import { knownTemplate } from '../../../functions/extraction/domain/templates.ts';
import { pageJudge } from '../../../functions/wiring/extraction/extraction.ts';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { samplePage, shortPage } from '../../helpers/page-images.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

let service: InProcessService;

beforeAll(async () => {
  // Less than two pages take by the first guess, more than any call that is not read.
  service = await startService({ timeoutSeconds: 7 });
});
afterAll(() => service.stop());

it('503 try_again at once when the pages ahead leave no time; nothing is charged, and the key is free', async () => {
  const workspace = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
  const judge = await pageJudge();
  const ahead = await samplePage();
  const later = Date.now() + 3_600_000;
  // As many as there can be processes on any machine, so that all of them are busy.
  const atHand = [
    judge.judge(ahead, knownTemplate('default'), { today: '2026-11-02', deadlineMs: later }),
    judge.judge(ahead, knownTemplate('default'), { today: '2026-11-02', deadlineMs: later }),
  ];
  const image = (await shortPage()).toString('base64');
  const answer = await extractCall(service, workspace, { image }, 'order-1');
  expect(answer.status, JSON.stringify(answer.json)).toBe(503);
  const { code, message } = problemOf(answer);
  expect(code).toBe('try_again');
  expect(message).toMatch(/Too many pages are being read.*Nothing was charged/);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({
    balanceKrw: 200,
    freeCallsUsed: 10,
    charges: [],
    extractions: [],
    idempotencyKeys: [],
  });
  for (const { page } of await Promise.all(atHand)) expect(page.items.length).toBeGreaterThan(0);
});

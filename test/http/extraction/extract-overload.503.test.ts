import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { tableReader } from '../../../functions/extraction/wiring.ts';
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
  const reader = await tableReader();
  const ahead = await samplePage();
  const later = Date.now() + 3_600_000;
  // As many as there can be processes on any machine, so that all of them are busy.
  const atHand = [
    reader.read(ahead, findTemplate('default')!, { deadlineMs: later }),
    reader.read(ahead, findTemplate('default')!, { deadlineMs: later }),
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
  for (const { tables } of await Promise.all(atHand)) expect(tables.length).toBeGreaterThan(0);
});

import { beforeAll, expect, it } from 'vitest';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let image: string;

beforeAll(async () => {
  image = (await oneLinePage()).toString('base64');
});

it('402 insufficient_balance before any work: the image is not even looked at, and the key stays free', async () => {
  const workspace = await createWorkspace({ balanceKrw: 199, freeCallsUsed: 10 });
  const noImage = Buffer.from('this would be a 415').toString('base64');
  const answer = await extractCall(service, workspace, { image: noImage }, 'order-1');
  expect(answer.status).toBe(402);
  expect(problemOf(answer)).toMatchObject({
    code: 'insufficient_balance',
    message: expect.stringContaining('199 KRW does not cover a call of 200 KRW'),
    details: { balanceKrw: 199, requiredKrw: 200 },
  });
  expect(await tracesOf(workspace.workspaceId)).toEqual({
    balanceKrw: 199,
    freeCallsUsed: 10,
    charges: [],
    extractions: [],
    idempotencyKeys: [],
  });
});

it('two callers race for the last 200 KRW: one 200, one 402, and nothing below zero', async () => {
  const workspace = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
  const answers = await Promise.all(['a', 'b'].map((key) => extractCall(service, workspace, { image }, key)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses, JSON.stringify(answers.map(({ json }) => json))).toEqual([200, 402]);
  const loser = answers.findIndex(({ status }) => status === 402);
  expect(problemOf(answers[loser]!).code).toBe('insufficient_balance');
  const { balanceKrw, charges, extractions, idempotencyKeys } = await tracesOf(workspace.workspaceId);
  expect(balanceKrw).toBe(0);
  expect(charges).toMatchObject([{ amountKrw: -200, balanceKrw: 0 }]);
  expect(extractions).toHaveLength(1);
  // The loser's key is free for a try after a top-up.
  expect(idempotencyKeys).toEqual([loser === 0 ? 'b' : 'a']);
});

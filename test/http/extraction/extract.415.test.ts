import { beforeAll, expect, it } from 'vitest';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
});

it.each([
  ['a text that calls itself PNG', Buffer.from('약품코드,약품명,수량\n640007270,케이캡정,10\n')],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
  ['a ZIP', Buffer.from('504b0304140000000800', 'hex')],
  ['a single byte', Buffer.from([0x89])],
])('415 unsupported_media_type: %s', async (_, bytes) => {
  const image = `data:image/png;base64,${bytes.toString('base64')}`;
  const answer = await extractCall(service, workspace, { image }, 'order-1');
  expect(answer.status).toBe(415);
  expect(problemOf(answer)).toMatchObject({ code: 'unsupported_media_type', message: expect.stringMatching(/JPEG/) });
  expect(await tracesOf(workspace.workspaceId)).toEqual({
    balanceKrw: 500,
    freeCallsUsed: 10,
    charges: [],
    extractions: [],
    idempotencyKeys: [],
  });
});

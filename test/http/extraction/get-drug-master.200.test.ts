import { expect, it } from 'vitest';
import { drugMasterInfo } from '../../../functions/extraction/drug-master-schemas.ts';
import { call } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

it("the drug list's date, size, source and attribution are shown to every key", async () => {
  const { apiKey } = await createWorkspace();
  const { status, json } = await call(service, 'GET', '/api/v1/drug-master', { key: apiKey });
  expect(status).toBe(200);
  const { ageDays, stale, ...info } = drugMasterInfo.strict().parse(json);
  expect(info).toEqual({
    version: '2026-06-01',
    dates: [],
    rows: 24507,
    own: null,
    source: '건강보험심사평가원, 약제급여목록 2026-06-01',
    attribution: '건강보험심사평가원, 약제급여목록 (공공누리 제1유형)',
  });
  expect(stale).toBe(ageDays > 120);
});

it('401 without a credential', async () => {
  expect((await call(service, 'GET', '/api/v1/drug-master', { key: null })).status).toBe(401);
});

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

it('drugs are found by the start of a code and by the words of a name, with their prices on a day', async () => {
  const { apiKey } = await createWorkspace();
  const find = async (query: Record<string, string>) => {
    const path = `/api/v1/drug-master?${new URLSearchParams(query)}`;
    const { status, json } = await call(service, 'GET', path, { key: apiKey });
    expect(status, JSON.stringify(json)).toBe(200);
    return drugMasterInfo.strict().parse(json).drugs!;
  };
  const [byCode, ...others] = await find({ search: '640007270', date: '2026-06-01' });
  expect(others).toEqual([]);
  expect(byCode).toMatchObject({ listed: true, priceKrw: expect.any(Number) });
  const byName = await find({ search: byCode!.name.slice(0, 4), date: '2026-06-01' });
  expect(byName.map(({ code }) => code)).toContain('640007270');
  expect((await find({ search: '6400', date: '2026-06-01' })).every(({ code }) => code.startsWith('6400'))).toBe(true);
  expect(await find({ search: '640007270', date: '1999-01-01' })).toMatchObject([{ priceKrw: null, listed: false }]);
  expect(await find({ search: '없는약이름' })).toEqual([]);
});

it('a drug of the workspace’s own list is found, with its own price', async () => {
  const { apiKey } = await createWorkspace();
  const file = Buffer.from('code,name,price\nHOUSE-1,우리약정,123\n').toString('base64');
  const put = await call(service, 'PUT', '/api/v1/drug-master/own', { key: apiKey, body: { file } });
  expect(put.status, JSON.stringify(put.json)).toBe(200);
  const { json } = await call(service, 'GET', `/api/v1/drug-master?search=${encodeURIComponent('우리약')}`, {
    key: apiKey,
  });
  expect(drugMasterInfo.parse(json).drugs).toMatchObject([{ code: 'HOUSE1', priceKrw: 123, listed: true }]);
});

it('401 without a credential', async () => {
  expect((await call(service, 'GET', '/api/v1/drug-master', { key: null })).status).toBe(401);
});

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { drugMasterInfo, ownList } from '../../../functions/extraction/drug-master-schemas.ts';
import { call, problemOf } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { packed, workbook } from '../../helpers/workbook.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
const PATH = '/api/v1/drug-master/own';

const csv = (...rows: readonly string[]) => Buffer.from(['code,name,price,from', ...rows].join('\n'));
const putList = (workspace: TestWorkspace, file: Buffer | string) =>
  call(service, 'PUT', PATH, {
    key: workspace.apiKey,
    body: { file: typeof file === 'string' ? file : file.toString('base64') },
  });
const getList = (workspace: TestWorkspace) => call(service, 'GET', PATH, { key: workspace.apiKey });

it('GET /api/v1/drug-master shows a workspace its own list, and no other', async () => {
  const [owner, other] = [await createWorkspace(), await createWorkspace()];
  const { json } = await putList(owner, csv('aug500,오구멘틴정,350,2026-01-01', 'H-1,원내약,,2026-01-01'));
  const ownOf = async ({ apiKey }: TestWorkspace) =>
    drugMasterInfo.parse((await call(service, 'GET', '/api/v1/drug-master', { key: apiKey })).json).own;
  expect(await ownOf(owner)).toEqual(json);
  expect(await ownOf(other)).toBeNull();
});

describe('a list that is sent', () => {
  it.each([
    [
      'XLSX',
      packed(workbook({ A1: '제품코드', B1: '제품명', C1: '상한금액', A2: 'aug500', B2: '오구멘틴정', C2: '350' })),
    ],
    ['gzip of CSV', gzipSync(csv('aug500,오구멘틴정,350,2026-01-01'))],
    ['names alone', Buffer.from('code,name\naug500,오구멘틴정\n')],
  ])('may be %s', async (_form, file) => {
    const { status, json } = await putList(await createWorkspace(), file);
    expect([status, ownList.parse(json).rows]).toEqual([200, 1]);
  });

  it.each([
    ['no base64', '%%%', /not base64/],
    ['no list', Buffer.from('Dear Sir\n'), /first row must name the columns/],
    ['a wrong row', csv('aug500,오구멘틴정,35x,2026-01-01'), /Row 2: the price "35x"/],
    ['two prices of one code on one day', csv('a1,가,1,2026-01-01', 'a1,가,2,2026-01-01'), /Rows 2 and 3/],
    ['a bomb of gzip', gzipSync(Buffer.alloc(21 * 1024 * 1024)), /more than 20 MB/],
    ['a bomb of XLSX', packed(workbook({ A1: 'x'.repeat(60_000_000) })), /more than 48 MB/],
  ])('a list is refused with the reason when it is %s, and the former list stays', async (_case, file, message) => {
    const workspace = await createWorkspace();
    const { json } = await putList(workspace, csv('aug500,오구멘틴정,350,2026-01-01'));
    const answer = await putList(workspace, file);
    expect([answer.status, problemOf(answer).code]).toEqual([400, 'invalid_request']);
    expect(problemOf(answer).message).toMatch(message);
    expect((await getList(workspace)).json).toEqual(json);
  });
});

it('401 without a credential', async () => {
  for (const method of ['PUT', 'GET', 'DELETE'] as const)
    expect(
      (await call(service, method, PATH, { key: null, ...(method === 'PUT' && { body: { file: 'eA==' } }) })).status,
    ).toBe(401);
});

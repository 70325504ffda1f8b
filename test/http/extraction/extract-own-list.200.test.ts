import { beforeAll, expect, it } from 'vitest';
import { readShippedMaster } from '../../../functions/adapters/drug-master/shipped-master.ts';
import { ownList } from '../../../functions/extraction/drug-master-schemas.ts';
import { acceptedJob, job } from '../../../functions/extraction/job-schemas.ts';
import { extractionResult } from '../../../functions/extraction/schemas.ts';
import { call, extractCall, problemOf } from '../../helpers/api.ts';
import { batchCall, jobCall } from '../../helpers/batch.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
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

let page: string;
beforeAll(async () => {
  page = (await oneLinePage()).toString('base64');
});

async function lineFor(workspace: TestWorkspace) {
  const answer = await extractCall(service, workspace, { image: page });
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return extractionResult.parse(answer.json).items[0]!;
}

it('a list of its own holds for single calls and batches of its workspace alone, until it is removed', async () => {
  const [owner, other] = [await createWorkspace(), await createWorkspace()];
  const plain = await lineFor(owner);
  expect(plain).toMatchObject({ status: 'GREEN', review: [] });
  const code = plain.drugCode!;
  const price = plain.unitPrice!;
  const { name } = (await readShippedMaster()).drugs.find((drug) => drug.code === code)!;
  const rowAt = (krw: number) => `${code},"${name}",${krw},2025-01-01`;
  const negotiated = csv(rowAt(price - 10));
  const put = await putList(owner, negotiated);
  expect(put.status, JSON.stringify(put.json)).toBe(200);
  expect(ownList.strict().parse(put.json)).toMatchObject({ rows: 1 });
  expect((await getList(owner)).json).toEqual(put.json);
  expect(problemOf(await getList(other)).code).toBe('not_found');

  const judged = await lineFor(owner);
  expect(judged).toMatchObject({ drugCode: code, codeInMaster: true, priceCheck: 'mismatch', status: 'RED' });
  expect(judged.review.at(-1)).toMatch(/^own_list: /);
  expect(judged.review.at(-1)).toContain(`the price ${price - 10}, not ${price}`);
  expect(await lineFor(other)).toMatchObject({ status: 'GREEN', review: [] });

  const { json } = await batchCall(service, owner, { images: [page] });
  const { jobId } = acceptedJob.parse(json);
  await expect
    .poll(async () => job.parse((await jobCall(service, owner, jobId)).json).status, { timeout: 60_000 })
    .toBe('completed');
  const { images } = job.parse((await jobCall(service, owner, jobId, '?items=1')).json);
  expect(images[0]!.items).toEqual([judged]);

  // As printed: a new list holds for the next page.
  await putList(owner, csv(rowAt(price)));
  expect(await lineFor(owner)).toMatchObject({ status: 'GREEN', priceCheck: 'current' });
  expect((await call(service, 'DELETE', PATH, { key: owner.apiKey })).status).toBe(204);
  expect((await getList(owner)).status).toBe(404);
  expect(await lineFor(owner)).toMatchObject({ status: 'GREEN', review: [] });
});

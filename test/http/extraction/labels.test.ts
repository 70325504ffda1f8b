import { beforeAll, expect, it } from 'vitest';
import { extraction, extractionList, extractionResult } from '../../../functions/extraction/schemas.ts';
import { call, extractCall, problemOf } from '../../helpers/api.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { oneLinePage, pdfOf } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let image: string;

beforeAll(async () => {
  image = (await oneLinePage()).toString('base64');
});

const listed = async (workspace: TestWorkspace) => {
  const { json } = await call({ ...service, ...workspace }, 'GET', '/api/v1/extractions');
  return extractionList.strict().parse(json).extractions;
};

it('shows the file name and the reference of a call in its look-up and in the list, and nothing new in its result', async () => {
  const workspace = await createWorkspace();
  const labels = { fileName: '처방전_03.jpg', reference: 'claim 2026-11/17' };
  const answer = await extractCall(service, workspace, { image, ...labels });
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  const { requestId } = extractionResult.strict().parse(answer.json);
  expect(answer.json).not.toHaveProperty('fileName');
  const { json } = await call({ ...service, ...workspace }, 'GET', `/api/v1/extractions/${requestId}`);
  expect(extraction.strict().parse(json)).toMatchObject(labels);
  expect(await listed(workspace)).toEqual([expect.objectContaining({ extractionId: requestId, ...labels })]);

  await extractCall(service, workspace, { image });
  expect((await listed(workspace))[0]).toMatchObject({ fileName: null, reference: null });
});

it('names the image of a batch that failed, and each extraction of the others', async () => {
  const workspace = await createWorkspace();
  const labels = [{ fileName: '처방전_01.jpg', reference: 'a' }, { fileName: '처방전_02.jpg' }];
  const answer = await batchCall(service, workspace, { images: [image, 'aGVsbG8='], labels });
  const { jobId } = answer.json as { jobId: string };
  const { images } = await finishedJob(service, workspace, jobId);
  expect(images.map(({ fileName, reference, error }) => [fileName, reference, error?.code ?? null])).toEqual([
    ['처방전_01.jpg', 'a', null],
    ['처방전_02.jpg', null, 'unsupported_media_type'],
  ]);
  expect(await listed(workspace)).toEqual([expect.objectContaining({ jobId, ...labels[0] })]);
});

it.each([
  ['fileName', ''],
  ['fileName', 'a\nb'],
  ['reference', 'x'.repeat(256)],
])('refuses %s %j', async (field, value) => {
  const refused = problemOf(await extractCall(service, await createWorkspace(), { image, [field]: value }));
  expect(refused).toMatchObject({ code: 'invalid_request', details: { fields: { [field]: expect.any(String) } } });
});

it('refuses a batch whose labels are not one for each image', async () => {
  const labels = [{ fileName: '처방전_01.jpg' }];
  const refused = problemOf(await batchCall(service, await createWorkspace(), { images: [image, image], labels }));
  expect(refused.message).toBe('labels has 1 entries for 2 images. Send one for each image, or none.');
});

it('reads the page of each file that a batch names, and fails the image whose file ends before it', async () => {
  const workspace = await createWorkspace();
  const pdf = (await pdfOf(await oneLinePage(), 2)).toString('base64');
  const answer = await batchCall(service, workspace, { images: [pdf, pdf, pdf], pages: [1, 2, 3] });
  const { jobId } = answer.json as { jobId: string };
  const { images } = await finishedJob(service, workspace, jobId);
  expect(images.map(({ status, error }) => error?.code ?? status)).toEqual(['completed', 'completed', 'page_missing']);
});

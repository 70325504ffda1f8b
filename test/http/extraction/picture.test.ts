import sharp from 'sharp';
import { expect, it } from 'vitest';
import { extraction, picture } from '../../../functions/extraction/schemas.ts';
import { call, extractWhenFree } from '../../helpers/api.ts';
import { oneLinePage, pdfOf, uploadedPicture } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

/** The drawn picture of a page that was uploaded and read, and its extraction. */
async function drawnOf(bytes: Buffer, contentType: string, page?: number) {
  const workspace = await createWorkspace();
  const get = (path: string) => call({ ...service, ...workspace }, 'GET', path);
  const imageUrl = await uploadedPicture(service, workspace, bytes, contentType);
  const { json } = await extractWhenFree(service, workspace, { imageUrl, ...(page !== undefined && { page }) });
  const path = `/api/v1/extractions/${(json as { requestId: string }).requestId}`;
  const read = extraction.strict().parse((await get(path)).json);
  const answer = await get(`${path}/picture?drawn=1`);
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return { read, drawn: picture.strict().parse(answer.json) };
}

it.each([
  ['PDF', 'application/pdf', async () => pdfOf(await oneLinePage(), 2)],
  [
    'TIFF',
    'image/tiff',
    async () =>
      sharp(await oneLinePage())
        .tiff()
        .toBuffer(),
  ],
] as const)(
  'the page of a %s that was read comes as a JPEG of the size that places count in',
  async (kind, type, file) => {
    const { read, drawn } = await drawnOf(await file(), type, kind === 'PDF' ? 2 : undefined);
    expect(drawn.contentType).toBe('image/jpeg');
    const jpeg = Buffer.from(drawn.url.replace('data:image/jpeg;base64,', ''), 'base64');
    const { width, height, format } = await sharp(jpeg).metadata();
    expect({ width, height, format }).toEqual({ ...read.geometry.source, format: 'jpeg' });
    expect(read.meta.page).toBe(kind === 'PDF' ? 2 : undefined);
  },
);

it('a picture that browsers show comes by its address', async () => {
  const { drawn } = await drawnOf(await oneLinePage(), 'image/png');
  expect(drawn).toMatchObject({ url: expect.stringMatching(/^http/), contentType: 'image/png' });
});

it('each cell of a line has the field that it holds', async () => {
  const { read } = await drawnOf(await oneLinePage(), 'image/png');
  expect(read.placeFields![0]).toHaveLength(read.places![0]!.length);
  const held = read.placeFields![0]!.filter((field) => field !== null);
  expect(new Set(held).size).toBe(held.length);
  expect(held).toEqual(expect.arrayContaining(['drugCode', 'drugName', 'unitPrice', 'totalAmount']));
  // From left to right as the sheet prints them.
  const left = (field: string) => read.places![0]![read.placeFields![0]!.indexOf(field as 'drugCode')]![0]!;
  expect(left('drugCode')).toBeLessThan(left('drugName'));
  expect(left('unitPrice')).toBeLessThan(left('totalAmount'));
});

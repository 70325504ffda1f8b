import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { extraction, picture } from '../../../functions/extraction/schemas.ts';
import { call, extractWhenFree } from '../../helpers/api.ts';
import { oneLinePage, pdfOf, uploadedPicture } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

/** The drawn picture and the thumbnail of a page that was uploaded and read, and its extraction. */
async function drawnOf(bytes: Buffer, contentType: string, page?: number) {
  const workspace = await createWorkspace();
  const get = (path: string) => call({ ...service, ...workspace }, 'GET', path);
  const imageUrl = await uploadedPicture(service, workspace, bytes, contentType);
  const { json } = await extractWhenFree(service, workspace, { imageUrl, ...(page !== undefined && { page }) });
  const path = `/api/v1/extractions/${(json as { requestId: string }).requestId}`;
  const read = extraction.strict().parse((await get(path)).json);
  const pictureBy = async (query: string) => {
    const answer = await get(`${path}/picture?${query}`);
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    return picture.strict().parse(answer.json);
  };
  return { read, drawn: await pictureBy('drawn=1'), thumbnail: await pictureBy('thumbnail=1') };
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

describe('a thumbnail', () => {
  const thumbnailOf = async (bytes: Buffer, contentType: string, page?: number) => {
    const { read, thumbnail } = await drawnOf(bytes, contentType, page);
    expect(thumbnail.contentType).toBe('image/jpeg');
    const jpeg = Buffer.from(thumbnail.url.replace('data:image/jpeg;base64,', ''), 'base64');
    return { read, jpeg, size: await sharp(jpeg).metadata() };
  };
  /** Means of the parts of a picture: dark where there is print. */
  const parts = async (jpeg: Buffer) => [
    ...(await sharp(jpeg).grayscale().resize({ width: 6, height: 2, fit: 'fill' }).raw().toBuffer()),
  ];
  const expectAlike = async (seen: Buffer, expected: Buffer) => {
    const [a, b] = [await parts(seen), await parts(expected)];
    for (const [at, light] of a.entries()) expect(Math.abs(light - b[at]!), `${a} ${b}`).toBeLessThan(6);
  };

  it.each([
    ['PNG', 'image/png', async () => oneLinePage()],
    ['PDF', 'application/pdf', async () => pdfOf(await oneLinePage(), 2)],
    [
      'TIFF',
      'image/tiff',
      async () =>
        sharp(await oneLinePage())
          .tiff()
          .toBuffer(),
    ],
  ] as const)('of a %s is a small JPEG of the same proportions', async (kind, type, file) => {
    const { read, jpeg, size } = await thumbnailOf(await file(), type, kind === 'PDF' ? 2 : undefined);
    // PDFium rounds down.
    expect([239, 240]).toContain(size.width);
    const { width, height } = read.geometry.source;
    expect(Math.abs(size.height - (240 * height) / width)).toBeLessThan(1);
    expect(jpeg.byteLength).toBeLessThan(20_000);
  });

  it.each([90, 180, 270])('of a page that was scanned turned by %d degrees is upright', async (turn) => {
    const page = await oneLinePage();
    const upright = await thumbnailOf(page, 'image/png');
    const turned = await thumbnailOf(await sharp(page).rotate(turn).png().toBuffer(), 'image/png');
    expect(turned.read.geometry.rotation).toBe(turn);
    await expectAlike(turned.jpeg, upright.jpeg);
  });

  it.each([
    [2, 2],
    [6, 8],
    [7, 7],
  ])('of a picture with the orientation tag %d is upright', async (orientation, inverse) => {
    const page = await oneLinePage();
    const tagged = async (picture: Buffer, tag: number) =>
      sharp(picture).withMetadata({ orientation: tag }).jpeg({ quality: 95 }).toBuffer();
    const stored = await sharp(await tagged(page, inverse))
      .autoOrient()
      .jpeg({ quality: 95 })
      .toBuffer();
    const { jpeg } = await thumbnailOf(await tagged(stored, orientation), 'image/jpeg');
    await expectAlike(jpeg, (await thumbnailOf(page, 'image/png')).jpeg);
  });
});

import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CorpusPage, corpusPages } from '../../../bench/pages.ts';
import { intersectionOverUnion } from '../../../bench/scoring/polygon.ts';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import type { DecodedImage } from '../../../functions/extraction/domain/reading/decoded-image.ts';
import type { Rotation, Size } from '../../../functions/extraction/domain/reading/geometry.ts';
import { type PreparedPage, preparePage } from '../../../functions/extraction/domain/reading/page/prepare-page.ts';
import { addTurns, turnPoint } from '../../../functions/extraction/domain/reading/page/quarter-turn.ts';
import type { PageModels } from '../../../functions/extraction/domain/reading/page-models.ts';
import { findStructure } from '../../../functions/extraction/domain/reading/structure/find-tables.ts';
import { memoizeAsync } from '../../../functions/shared/memoize-async.ts';
import { pdf } from '../../helpers/files.ts';
import { shortPage } from '../../helpers/page-images.ts';
import { rememberingModels } from '../../helpers/remembering-models.ts';

const pages = corpusPages('test/fixtures/pages');
const pageOf = (id: string) => pages.find(({ truth }) => truth.id.endsWith(id))!;
const drugTables = pages.filter(({ truth }) => truth.table !== null);
let models: PageModels;

beforeAll(async () => {
  models = await rememberingModels();
});

const prepare = async (bytes: Uint8Array) => preparePage(await decodeImage(bytes), models);

const prepared = new Map<CorpusPage, Promise<PreparedPage>>();
/** A page of the corpus as it is, for all tests that look at it. */
function preparedOf(page: CorpusPage): Promise<PreparedPage> {
  const preparing = prepared.get(page) ?? prepare(page.bytes());
  prepared.set(page, preparing);
  return preparing;
}

/** The page's picture, turned clockwise: what has to be turned back, counter-clockwise, by as much more. */
async function turned(page: CorpusPage, clockwise: Rotation): Promise<DecodedImage> {
  const { raster, ...decoded } = await decodeImage(page.bytes());
  const { width, height } = raster;
  const turn = async (pixels: Uint8Array) =>
    sharp(pixels, { raw: { width, height, channels: 1 } })
      .rotate(clockwise)
      .toColourspace('b-w')
      .raw()
      .toBuffer();
  const swaps = clockwise === 90 || clockwise === 270;
  const sized = (size: Size) => (swaps ? { width: size.height, height: size.width } : size);
  const pixels = await turn(raster.pixels);
  const marks = raster.marks && (await turn(raster.marks));
  return { ...decoded, source: sized(decoded.source), raster: { ...sized(raster), pixels, ...(marks && { marks }) } };
}

function expectUpright({ geometry, page, image }: PreparedPage, { truth }: CorpusPage, rotation: Rotation): void {
  expect(geometry.rotation).toBe(rotation);
  expect(image.readable).toBe(true);
  // Lines that run across make a drug table's page as wide or as tall as its own paper.
  const wide = truth.geometry.page.width > truth.geometry.page.height;
  expect(page.width > page.height).toBe(wide);
}

describe('drug tables of every class', () => {
  it.each(drugTables.map((page) => [page.truth.id, page] as const))('%s comes out upright', async (_, page) => {
    const prepared = await preparedOf(page);
    const { width, height } = page.truth.image;
    expect(prepared.geometry.source).toEqual({ width, height });
    expectUpright(prepared, page, page.truth.geometry.rotation);
    if (page.truth.geometry.edgesVisible)
      expect(intersectionOverUnion(page.truth.geometry.quad, prepared.geometry.crop!.sourceCorners)).toBeGreaterThan(
        0.96,
      );
    else expect(prepared.geometry.crop).toBeNull();
  });
});

describe('print of a few pixels', () => {
  it.each([
    [1, []],
    [0.4, ['low_resolution']],
  ])('at %s of its size a scan has the issues %j', async (scale, issues) => {
    const bytes = pageOf('scan-001').bytes();
    const { width = 0 } = await sharp(bytes).metadata();
    const small = await sharp(bytes)
      .resize({ width: Math.round(scale * width) })
      .png()
      .toBuffer();
    expect((await prepare(small)).image.issues).toEqual(issues);
  });
});

describe('structure found while a page is turned upright', () => {
  it('is the structure of the resulting page', async () => {
    const { page, structure } = await preparedOf(pageOf('screen-002'));
    expect(structure).not.toBeNull();
    expect(structure).toEqual(await findStructure(page, models.layouts));
  });
});

describe.each(['screen-001', 'scan-002', 'photo-001', 'hard-003'])('%s, however it was turned', (id) => {
  it.each([90, 180, 270] as const)('clockwise by %i degrees', async (clockwise) => {
    const page = pageOf(id);
    const { truth } = page;
    const rotation = addTurns(truth.geometry.rotation, clockwise);
    const prepared = await preparePage(await turned(page, clockwise), models);
    expectUpright(prepared, page, rotation);
    const { geometry } = prepared;
    if (!truth.geometry.edgesVisible) return;
    // The sheet is in the turned upload where the turn took it, and first comes the page's own top left corner.
    const counterClockwise = addTurns(0, (360 - clockwise) as Rotation);
    const corners = truth.geometry.quad.map((corner) => turnPoint(corner, truth.image, counterClockwise));
    geometry.crop!.sourceCorners.forEach((corner, index) => {
      const expected = corners[index]!;
      expect(Math.hypot(corner.x - expected.x, corner.y - expected.y)).toBeLessThan(0.01 * truth.image.width);
    });
  });
});

it('turns a picture by its text, against its orientation tag', async () => {
  const page = pageOf('screen-001');
  for (const orientation of [3, 6, 8]) {
    const tagged = await sharp(page.bytes()).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    const { geometry } = await prepare(tagged);
    const { width, height } = page.truth.image;
    expect(geometry).toMatchObject({ rotation: 0, source: { width, height }, oriented: { width, height } });
  }
});

/** The picture stored so that a viewer, which follows the tag, shows it as it was. */
async function storedUnder(bytes: Uint8Array, tag: number): Promise<Buffer> {
  const mirrored = [2, 4, 5, 7].includes(tag);
  const turn = { 3: 180, 4: 180, 5: 90, 6: 270, 7: 270, 8: 90 }[tag] ?? 0;
  const turned = await sharp(bytes).rotate(turn).png({ compressionLevel: 1 }).toBuffer();
  const stored = await sharp(turned).flop(mirrored).png({ compressionLevel: 1 }).toBuffer();
  return sharp(stored).withMetadata({ orientation: tag }).png({ compressionLevel: 1 }).toBuffer();
}

describe('a picture under every orientation tag', async () => {
  const upright = await shortPage();
  const { width, height } = await sharp(upright).metadata();
  const shown = await sharp(upright).toColourspace('b-w').raw().toBuffer();
  const untagged = memoizeAsync(() => prepare(upright));

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('%i comes out as a viewer shows it', async (tag) => {
    const stored = await storedUnder(upright, tag);
    const viewed = await sharp(stored).autoOrient().toColourspace('b-w').raw().toBuffer();
    expect(viewed.equals(shown)).toBe(true);
    const { geometry, page } = await prepare(stored);
    const plain = await untagged();
    expect(geometry.oriented).toEqual({ width, height });
    expect(geometry.mirrored).toBe([2, 4, 5, 7].includes(tag) ? true : undefined);
    expect(page).toMatchObject({ width, height });
    expect(Buffer.compare(page.pixels, plain.page.pixels)).toBe(0);
  });
});

it('gives the corners of a mirrored photo as they are in the upload', async () => {
  const photo = pages.find(({ truth }) => truth.class === 'photo' && truth.geometry.edgesVisible)!;
  const plain = await preparedOf(photo);
  const mirrored = await prepare(await storedUnder(photo.bytes(), 2));
  expect(mirrored.geometry.crop!.corners).toEqual(plain.geometry.crop!.corners);
  mirrored.geometry.crop!.sourceCorners.forEach(({ x, y }, index) => {
    const corner = plain.geometry.crop!.sourceCorners[index]!;
    expect(x).toBeCloseTo(photo.truth.image.width - corner.x, 6);
    expect(y).toBeCloseTo(corner.y, 6);
  });
});

it('turns faint print with legible figures only by its text', async () => {
  const page = pageOf('screen-001');
  const faint = await sharp(page.bytes())
    .rotate(90)
    .linear(0.22, 255 * 0.7)
    .blur(0.5)
    .jpeg({ quality: 90 })
    .toBuffer();
  expectUpright(await prepare(faint), page, 90);
});

describe('pictures without anything to read', () => {
  const plain = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();

  it.each([
    ['a single pixel', () => plain(1, 1, '#fff'), 'too_small'],
    ['black', () => plain(900, 700, '#000'), 'too_dark'],
    ['blank paper', () => plain(900, 700, '#fff'), 'low_contrast'],
    ['a page far out of focus', () => sharp(pageOf('scan-002').bytes()).blur(14).jpeg().toBuffer(), 'blurred'],
  ] as const)('%s is not readable, with the reason', async (_, make, issue) => {
    const { image, geometry } = await prepare(await make());
    expect(image.readable).toBe(false);
    expect(image.issues).toContain(issue);
    expect(geometry).toMatchObject({ rotation: 0, crop: null });
  });

  it('a landscape passes through unharmed', async () => {
    const { geometry } = await prepare(pageOf('other-003').bytes());
    const { width, height } = pageOf('other-003').truth.image;
    expect(geometry.source).toEqual({ width, height });
  });
});

it('says that a PDF has more pages than were read', async () => {
  const { image } = await prepare(pdf([1, 2].map(() => ({ width: 360, height: 720 }))));
  expect(image.issues).toContain('multiple_pages');
});

import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import { onnxModels } from '../../../functions/adapters/readers/onnx-models.ts';
import { withoutOtherSide } from '../../../functions/extraction/domain/reading/page/other-side.ts';
import type { PageModels } from '../../../functions/extraction/domain/reading/page-models.ts';
import { cropRaster, type Raster } from '../../../functions/extraction/domain/reading/raster.ts';
import { findStructure } from '../../../functions/extraction/domain/reading/structure/find-tables.ts';

const FORM = 'test/fixtures/forms/prescription-002.jpg';
/** How much of the other side's ink thin paper lets through. */
const STRENGTH = 0.6;
const [RIGHT, DOWN] = [40, 70];
/** Where only the other side prints something, and where only the front does: x, y, width, height. */
const OTHER_SIDE = [645, 805, 66, 30] as const;
const OWN_PRINT = [1172, 140, 110, 26] as const;
let models: PageModels;

beforeAll(async () => {
  models = await onnxModels();
});

async function thinPaper(strength: number): Promise<Raster> {
  const { width, height } = await sharp(FORM).metadata();
  const size = { width: Math.round(1.5 * width), height: Math.round(1.5 * height) };
  const form = sharp(FORM).resize(size);
  const back = form
    .clone()
    .flop()
    .greyscale()
    .linear(strength, 255 * (1 - strength));
  const shown = await back.png().toBuffer();
  const input = await sharp(shown)
    .extract({ left: 0, top: 0, width: size.width - RIGHT, height: size.height - DOWN })
    .png()
    .toBuffer();
  const front = await form.png().toBuffer();
  const page = await sharp(front)
    .composite([{ input, left: RIGHT, top: DOWN, blend: 'multiply' }])
    .png()
    .toBuffer();
  return (await decodeImage(page)).raster;
}

const darkest = (page: Raster, [x, y, width, height]: readonly [number, number, number, number]) =>
  255 - Math.min(...cropRaster(page, x, y, width, height).pixels);

describe('thin paper', () => {
  it('shows less of its other side where that can be read in a mirror, and its own print nearly as dark as before', async () => {
    const page = await thinPaper(STRENGTH);
    const lightened = (await withoutOtherSide(page, (await findStructure(page, models.layouts))!, models.recogniser))!;
    expect(darkest(lightened, OTHER_SIDE)).toBeLessThan(0.7 * darkest(page, OTHER_SIDE));
    expect(darkest(lightened, OWN_PRINT)).toBeGreaterThan(0.8 * darkest(page, OWN_PRINT));
  });

  it('is left as it is where only its own side can be read', async () => {
    const page = await thinPaper(0);
    expect(await withoutOtherSide(page, (await findStructure(page, models.layouts))!, models.recogniser)).toBeNull();
  });
});

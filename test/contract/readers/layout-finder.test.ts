import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import { MODEL_FOLDER } from '../../../functions/adapters/readers/model-folder.ts';
import { OnnxLayoutFinder } from '../../../functions/adapters/readers/onnx-layout-finder.ts';
import type { Raster } from '../../../functions/extraction/domain/reading/raster.ts';
import { findStructure } from '../../../functions/extraction/domain/reading/structure/find-tables.ts';
import { fill, flatPicture, letters } from '../../helpers/draw.ts';

const FORM = 'test/fixtures/forms/prescription-002.jpg';
/** Part of the other side's ink that thin paper lets through. */
const SHINES_THROUGH = 0.2;
const ROW_HEIGHT = 30;
const [TOP, LEFT, RIGHT] = [50, 50, 800];
const COLUMNS = [280, 460, 620];
let layouts: OnnxLayoutFinder;

beforeAll(async () => {
  layouts = await OnnxLayoutFinder.load(MODEL_FOLDER);
});

type Rule = (page: Raster, x: number, y: number, width: number, height: number) => void;

/** Rows of four columns. */
function sheet(row: Rule, column: Rule, { rows = 10, width = 900 } = {}): Raster {
  const page = flatPicture(width, 2 * TOP + rows * ROW_HEIGHT, 255);
  for (let n = 0; n < rows; n++)
    for (const [index, left] of [60, 300, 500, 660].entries())
      letters(page, left, TOP + 8 + n * ROW_HEIGHT, [10, 4, 3, 2][index]!);
  for (let n = 0; n <= rows; n++) row(page, LEFT, TOP + n * ROW_HEIGHT, RIGHT - LEFT, 2);
  for (const x of [LEFT, ...COLUMNS, RIGHT]) column(page, x, TOP, 2, rows * ROW_HEIGHT + 2);
  return page;
}

const solid: Rule = (page, x, y, width, height) => fill(page, x, y, width, height, 60);

function dashed(length: number, pitch: number, phase = 0): Rule {
  return (page, x, y, width, height) => {
    for (let at = phase; at < Math.max(width, height); at += pitch)
      if (width > height) fill(page, x + at, y, Math.min(length, width - at), height, 60);
      else fill(page, x, y + at, width, Math.min(length, height - at), 60);
  };
}

async function gridsOf(page: Raster): Promise<readonly (readonly [number, number])[]> {
  const { tables } = (await findStructure(page, layouts))!;
  return tables.map(({ rowCount, columnCount }) => [rowCount, columnCount] as const);
}

describe('OnnxLayoutFinder', () => {
  it('is small enough for a function', async () => {
    expect((await stat(path.join(MODEL_FOLDER, 'layout.onnx'))).size).toBeLessThan(8_000_000);
  });

  it('finds rules of solid lines', async () => {
    expect(await gridsOf(sheet(solid, solid))).toEqual([[10, 4]]);
  });

  it.each([
    { length: 7, pitch: 12, phase: 0 },
    { length: 7, pitch: 12, phase: 4 },
    { length: 8, pitch: 14, phase: 9 },
    { length: 3, pitch: 6, phase: 0 },
    { length: 2, pitch: 4, phase: 1 },
  ])('finds rules of dashes of $length px every $pitch, $phase px on', async ({ length, pitch, phase }) => {
    expect(await gridsOf(sheet(dashed(length, pitch), dashed(length, pitch, phase)))).toEqual([[10, 4]]);
  });

  it('leaves out rules that shine through from the other side', async () => {
    const form = await decodeImage(readFileSync(FORM));
    const { width, height, pixels } = form.raster;
    const shining = { width, height, pixels: pixels.slice() };
    const [right, down] = [37, 52];
    for (let y = down; y < height; y++)
      for (let x = right; x < width; x++) {
        const behind = pixels[(y - down) * width + width - 1 - (x - right)]!;
        shining.pixels[y * width + x]! *= 1 - SHINES_THROUGH * (1 - behind / 255);
      }
    expect(await gridsOf(shining)).toEqual(await gridsOf(form.raster));
  });

  it('takes strokes below each other, such as the digit 1, for print', async () => {
    const page = sheet(solid, solid);
    for (let row = 0; row < 6; row++) fill(page, 560, TOP + 8 + row * ROW_HEIGHT, 2, 16, 60);
    expect(await gridsOf(page)).toEqual([[10, 4]]);
  });

  it('sees a page of many pixels in strips, and grids across them as one', async () => {
    expect(await gridsOf(sheet(solid, solid, { rows: 120, width: 1500 }))).toEqual([[120, 4]]);
  });

  it('finds the rules of large print as well', async () => {
    const small = sheet(solid, solid);
    const page = flatPicture(2 * small.width, 2 * small.height, 255);
    for (let y = 0; y < page.height; y++)
      for (let x = 0; x < page.width; x++)
        page.pixels[y * page.width + x] = small.pixels[(y >> 1) * small.width + (x >> 1)]!;
    expect(await gridsOf(page)).toEqual([[10, 4]]);
  });
});

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { OnnxRecogniser } from '../../../functions/adapters/readers/onnx-recogniser.ts';
import type { LineImage } from '../../../functions/extraction/domain/reading/line-recogniser.ts';

const MODEL = path.join(import.meta.dirname, '../../../layers/ocr');
const LINES = path.join(import.meta.dirname, '../../fixtures/lines');

/** Invented lines in fonts that the model was not trained on, drawn by `training/hangul/render.py`. */
const TRUTH = {
  'name-screen': '가람큐정5밀리그램(암로디핀베실산염)',
  'name-scan': '도담센캡슐20mg(오메프라졸)_(20mg/1캡슐)',
  'header-photo': '총투여일수',
  'amount-photo': '1,334,560',
  'code-hard': '065400120',
} as const;

async function line(name: string): Promise<LineImage> {
  const { data, info } = await sharp(path.join(LINES, `${name}.png`))
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

describe('the shipped line recogniser', () => {
  it('reads Hangul, Latin, marks and digits of unseen fonts, in the order of its input', async () => {
    const recogniser = await OnnxRecogniser.load(MODEL, { threads: 1 });
    const readings = await recogniser.recognise(await Promise.all(Object.keys(TRUTH).map(line)));
    expect(readings.map(({ text }) => text.text)).toEqual(Object.values(TRUTH));
  });

  it('gives the same reading alone and in a batch', async () => {
    const recogniser = await OnnxRecogniser.load(MODEL, { threads: 1 });
    const images = await Promise.all(Object.keys(TRUTH).map(line));
    const together = await recogniser.recognise([...images, ...images]);
    for (const [index, image] of images.entries()) {
      const [alone] = await recogniser.recognise([image]);
      expect(together[index]?.text.text).toBe(alone?.text.text);
      expect(together[index + images.length]?.text).toEqual(together[index]?.text);
    }
  });

  it('reads nothing from an empty cell', async () => {
    const recogniser = await OnnxRecogniser.load(MODEL, { threads: 1 });
    const blank = { width: 160, height: 40, pixels: new Uint8Array(160 * 40).fill(255) };
    expect((await recogniser.recognise([blank]))[0]?.text).toEqual({ text: '', confidence: 0 });
  });

  it('has a dictionary of one character a line, the space last, and stays small', async () => {
    const letters = (await readFile(path.join(MODEL, 'hangul-rec.txt'), 'utf8')).replace(/\n$/, '').split('\n');
    expect(letters).toHaveLength(2501);
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.every((letter) => [...letter].length === 1)).toBe(true);
    expect(letters.at(-1)).toBe(' ');
    expect((await stat(path.join(MODEL, 'hangul-rec.onnx'))).size).toBeLessThan(8_000_000);
  });
});

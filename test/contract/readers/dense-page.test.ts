import sharp from 'sharp';
import { expect, it } from 'vitest';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import { EmbeddedReader } from '../../../functions/adapters/readers/embedded-reader.ts';
import { onnxModels } from '../../../functions/adapters/readers/onnx-models.ts';
import type { LineImage } from '../../../functions/extraction/domain/reading/line-recogniser.ts';

const { recogniser, layouts } = await onnxModels();
/** Height of a line and pixels of width in all, as the recogniser counts them. */
const LINE_HEIGHT = 48;
const MAX_TOTAL_WIDTH = 256_000;

/** A pattern of a few kilobytes in which every row of the page looks like one line of letters. */
async function patternPage(side: number): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side, 255);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) if (x % 12 < 8 && y % 20 < 14 && (x * 7 + y * 13) % 5 < 2) pixels[y * side + x] = 0;
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .png({ compressionLevel: 9, palette: true, colours: 2 })
    .toBuffer();
}

it('reads no more than a sheet can hold of a page that a few kilobytes fill with letters', async () => {
  const image = await patternPage(2640);
  expect(image.length).toBeLessThan(10_000);
  let read = 0;
  const counting = {
    recognise: async (lines: readonly LineImage[]) => {
      read += lines.reduce((sum, { width, height }) => sum + Math.min((width * LINE_HEIGHT) / height, 3200), 0);
      // What it would take is counted; to read it all would take the test half a minute.
      return lines.map(() => ({ text: { text: 'ab', confidence: 0.5 }, numeral: { text: '', confidence: 0 } }));
    },
  };
  await new EmbeddedReader({ decode: decodeImage, layouts, recogniser: counting }).read(image);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(MAX_TOTAL_WIDTH);
});

it('refuses lines that are more than any sheet holds, before it reads one', async () => {
  const line = { width: 3000, height: LINE_HEIGHT, pixels: new Uint8Array(3000 * LINE_HEIGHT) };
  const lines = new Array<LineImage>(Math.ceil(MAX_TOTAL_WIDTH / 3000) + 1).fill(line);
  await expect(recogniser.recognise(lines)).rejects.toMatchObject({ refusal: 'unreadable_image' });
});

it('reads the start of a line that has no end', async () => {
  const line = { width: 100_000, height: LINE_HEIGHT, pixels: new Uint8Array(100_000 * LINE_HEIGHT).fill(255) };
  const [reading] = await recogniser.recognise([line]);
  expect(reading!.text.text).toBe('');
});

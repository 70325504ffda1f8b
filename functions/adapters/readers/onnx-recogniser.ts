import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type * as Ort from 'onnxruntime-node';
import { CtcDecoder } from '../../extraction/domain/reading/ctc-decoder.ts';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import { LetterPrior } from '../../extraction/domain/reading/letter-prior.ts';
import type { LineImage, LineReading, LineRecogniser } from '../../extraction/domain/reading/line-recogniser.ts';
import { resizeToHeight } from '../../extraction/domain/reading/resize-line.ts';
import { chunks } from '../../shared/chunks.ts';
import { onnxSession } from './onnx-session.ts';

const LINE_HEIGHT = 48;
/** Widths are padded to a multiple of this, so that few shapes reach the runtime. */
const WIDTH_STEP = 8;
/** Maximum width of a batch's widest line: a multiple of the narrowest one's, plus these pixels. Padding costs as much time as text. */
const WIDEST = { times: 1.1, more: 8 };
const MIN_WIDTH = 32;
/** Pixels of all lines that are padded to one width. */
const MAX_BATCH_WIDTH = 4096;
/** Pixels of one run of the network: what its layers hand on then stays in the processor's cache. */
const MAX_RUN_WIDTH = 1280;
/** The rest of a longer line is not read: a sentence across the whole of a sheet is about as long, every cell far shorter. */
const MAX_LINE_WIDTH = 3200;
/** Pixels of all lines together, about 0.1 ms of a core each. A sheet of 40 rows takes 50,000, one of 60 small ones 170,000. */
const MAX_TOTAL_WIDTH = 256_000;

/**
 * The line recogniser of `layers/ocr` on ONNX Runtime: input `[N, 3, 48, W]` scaled to -1..1, output class probabilities. The model card
 * in the same folder describes how it was made.
 */
export class OnnxRecogniser implements LineRecogniser {
  readonly #runtime: typeof Ort;
  readonly #session: Ort.InferenceSession;
  readonly #decoder: CtcDecoder;

  private constructor(runtime: typeof Ort, session: Ort.InferenceSession, decoder: CtcDecoder) {
    this.#runtime = runtime;
    this.#session = session;
    this.#decoder = decoder;
  }

  /** @param folder holds `hangul-rec.onnx`, `hangul-rec.txt` and `drug-names.bin`. */
  static async load(folder: string, { threads = availableParallelism() } = {}): Promise<OnnxRecogniser> {
    const [{ runtime, session }, dictionary, names] = await Promise.all([
      onnxSession(path.join(folder, 'hangul-rec.onnx'), threads),
      readFile(path.join(folder, 'hangul-rec.txt'), 'utf8'),
      readFile(path.join(folder, 'drug-names.bin')),
    ]);
    const letters = dictionary.replace(/\n$/, '').split('\n');
    return new OnnxRecogniser(runtime, session, new CtcDecoder(letters, new LetterPrior(names)));
  }

  /** @throws ImageRefused when there is more to read than any sheet holds */
  async recognise(lines: readonly LineImage[]): Promise<readonly LineReading[]> {
    const cut = lines.map(withinLineWidth);
    const totalWidth = cut.reduce((sum, line) => sum + scaledWidth(line), 0);
    // A pattern that looks like letters fills a page with more of them than any sheet has, and a few kilobytes draw it.
    if (totalWidth > MAX_TOTAL_WIDTH)
      throw new ImageRefused(
        'unreadable_image',
        'The page holds more text than is read of one page. Send the part of it that holds the drug table.',
      );
    const scaled = cut
      .map((line, index) => ({ index, image: resizeToHeight(line, LINE_HEIGHT) }))
      .sort((a, b) => a.image.width - b.image.width);
    const readings = new Array<LineReading>(lines.length);
    for (let start = 0; start < scaled.length; ) {
      const end = batchEnd(scaled, start);
      const width = padded(scaled[end - 1]!.image.width);
      const perRun = Math.max(1, Math.floor(MAX_RUN_WIDTH / width));
      for (const part of chunks(distinct(scaled.slice(start, end)), perRun)) {
        const images = part.map(({ image }) => image);
        const results = await this.#run(images, width);
        for (const [n, { indexes }] of part.entries()) for (const index of indexes) readings[index] = results[n]!;
      }
      start = end;
    }
    return readings;
  }

  async #run(images: readonly LineImage[], width: number): Promise<readonly LineReading[]> {
    const input = new this.#runtime.Tensor('float32', toPlanes(images, width), [images.length, 3, LINE_HEIGHT, width]);
    const result = await this.#session.run({ [this.#session.inputNames[0]!]: input });
    const output = result[this.#session.outputNames[0]!]!;
    const [, steps, classes] = output.dims as readonly [number, number, number];
    const probabilities = output.data as Float32Array;
    return images.map((_, n) => this.#decoder.decode(probabilities, n * steps * classes, steps, classes));
  }
}

function scaledWidth({ width, height }: LineImage): number {
  return (width * LINE_HEIGHT) / height;
}

function withinLineWidth(line: LineImage): LineImage {
  if (scaledWidth(line) <= MAX_LINE_WIDTH) return line;
  const width = Math.max(1, Math.floor((MAX_LINE_WIDTH * line.height) / LINE_HEIGHT));
  const pixels = new Uint8Array(width * line.height);
  for (let y = 0; y < line.height; y++)
    pixels.set(line.pixels.subarray(y * line.width, y * line.width + width), y * width);
  return { width, height: line.height, pixels };
}

function padded(width: number): number {
  return Math.ceil(Math.max(MIN_WIDTH, width) / WIDTH_STEP) * WIDTH_STEP;
}

/** Lines of similar width go together. */
function batchEnd(scaled: readonly { readonly image: LineImage }[], start: number): number {
  const widest = scaled[start]!.image.width * WIDEST.times + WIDEST.more;
  let end = start + 1;
  while (end < scaled.length) {
    const { width } = scaled[end]!.image;
    if (width > widest || (end - start + 1) * padded(width) > MAX_BATCH_WIDTH) break;
    end++;
  }
  return end;
}

/** A screen draws the same number with the same pixels: it is read once. */
function distinct(lines: readonly { readonly index: number; readonly image: LineImage }[]) {
  const byPixels = new Map<string, { readonly image: LineImage; readonly indexes: number[] }>();
  for (const { index, image } of lines) {
    const { buffer, byteOffset, byteLength } = image.pixels;
    const key = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const same = byPixels.get(key);
    if (same) same.indexes.push(index);
    else byPixels.set(key, { image, indexes: [index] });
  }
  return [...byPixels.values()];
}

/** The network's input for each gray level. */
const INPUTS = Float32Array.from({ length: 256 }, (_, level) => level / 127.5 - 1);

/** Gray in all three channels, -1 to 1; white on the right. */
function toPlanes(images: readonly LineImage[], width: number): Float32Array {
  const plane = LINE_HEIGHT * width;
  const data = new Float32Array(images.length * 3 * plane).fill(1);
  images.forEach(({ width: own, pixels }, n) => {
    const first = n * 3 * plane;
    for (let y = 0; y < LINE_HEIGHT; y++) {
      const row = first + y * width;
      for (let x = 0; x < own; x++) data[row + x] = INPUTS[pixels[y * own + x]!]!;
    }
    data.copyWithin(first + plane, first, first + plane);
    data.copyWithin(first + 2 * plane, first, first + plane);
  });
  return data;
}

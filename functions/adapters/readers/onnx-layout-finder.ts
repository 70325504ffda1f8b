import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import { resize } from '../../extraction/domain/reading/resize-line.ts';
import type { Layout, LayoutFinder } from '../../extraction/domain/reading/structure/layout.ts';
import { type OnnxSession, onnxSession } from './onnx-session.ts';

/** Height of letters in pixels at which the network works: larger print is shrunk to it. */
const LETTER_HEIGHT = 14;
/** So much larger print is not shrunk: less time is saved than lost. */
const ABOUT_AS_LARGE = 1.15;
/** Sides of the network's input are multiples of this. */
const MULTIPLE = 16;
/** Log-odds from which on a pixel counts: 40 %. */
const LIMIT = Math.log(0.4 / 0.6);
/** Maps of the network's output. */
const MAPS = { rows: 0, columns: 1 } as const;

/**
 * The layout network of `layers/ocr` on ONNX Runtime: input `[1, 1, H, W]` scaled to -1..1, output `[1, 4, H, W]` in log-odds: row rules,
 * column rules, print, foreign ink.
 */
export class OnnxLayoutFinder implements LayoutFinder {
  readonly #onnx: OnnxSession;

  private constructor(onnx: OnnxSession) {
    this.#onnx = onnx;
  }

  /** @param folder holds `layout.onnx`. */
  static async load(folder: string, { threads = availableParallelism() } = {}): Promise<OnnxLayoutFinder> {
    return new OnnxLayoutFinder(await onnxSession(path.join(folder, 'layout.onnx'), threads));
  }

  async find(page: Raster, letterHeight: number): Promise<Layout> {
    const factor = letterHeight > ABOUT_AS_LARGE * LETTER_HEIGHT ? LETTER_HEIGHT / letterHeight : 1;
    const small = factor === 1 ? page : resize(page, Math.round(page.width * factor), Math.round(page.height * factor));
    const { runtime, session } = this.#onnx;
    const [width, height] = [padded(small.width), padded(small.height)];
    const input = new runtime.Tensor('float32', toPlane(small, width, height), [1, 1, height, width]);
    const result = await session.run({ [session.inputNames[0]!]: input });
    const odds = result[session.outputNames[0]!]!.data as Float32Array;
    const map = (index: number): Map => ({
      width,
      odds: odds.subarray(index * width * height, (index + 1) * width * height),
      seen: small,
    });
    return { rows: enlarged(map(MAPS.rows), page), columns: enlarged(map(MAPS.columns), page) };
  }
}

/** Log-odds of the pixels of a page that was shrunk; rows are `width` long. */
interface Map {
  readonly width: number;
  readonly odds: Float32Array;
  readonly seen: { readonly width: number; readonly height: number };
}

function padded(side: number): number {
  return Math.ceil(side / MULTIPLE) * MULTIPLE;
}

/** -1 to 1; white on the right and below. */
function toPlane({ width, height, pixels }: Raster, planeWidth: number, planeHeight: number): Float32Array {
  const plane = new Float32Array(planeWidth * planeHeight).fill(1);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) plane[y * planeWidth + x] = pixels[y * width + x]! / 127.5 - 1;
  return plane;
}

/** 1 for every pixel of the page whose odds, interpolated between those of the smaller one, reach the limit. */
function enlarged({ width: stride, odds, seen }: Map, { width, height }: Raster): Uint8Array {
  const bits = new Uint8Array(width * height);
  const [across, down] = [seen.width / width, seen.height / height];
  const columns = Array.from({ length: width }, (_, x) => placeOf(x, across, seen.width));
  for (let y = 0; y < height; y++) {
    const { first, share } = placeOf(y, down, seen.height);
    const [above, below] = [first * stride, Math.min(first + 1, seen.height - 1) * stride];
    for (let x = 0; x < width; x++) {
      const left = columns[x]!.first;
      const right = left + 1 < seen.width ? left + 1 : left;
      const a = odds[above + left]!;
      const b = odds[above + right]!;
      const c = odds[below + left]!;
      const d = odds[below + right]!;
      // Most of a page is far from any rule.
      if (a < LIMIT && b < LIMIT && c < LIMIT && d < LIMIT) continue;
      const top = a + (b - a) * columns[x]!.share;
      const bottom = c + (d - c) * columns[x]!.share;
      if (top + (bottom - top) * share >= LIMIT) bits[y * width + x] = 1;
    }
  }
  return bits;
}

/** Where the middle of a pixel lies in the smaller page: behind the middle of its `first` pixel by a share of the way to the next. */
function placeOf(at: number, scale: number, length: number): { readonly first: number; readonly share: number } {
  const place = Math.min(length - 1, Math.max(0, (at + 0.5) * scale - 0.5));
  const first = Math.floor(place);
  return { first, share: place - first };
}

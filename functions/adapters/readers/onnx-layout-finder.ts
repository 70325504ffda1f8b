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
/** Pixels of one run of the network: its layers take about 100 bytes for each. */
const MAX_RUN = 2_500_000;
/** Rows above and below a run's own, which it sees as well. */
const MARGIN = 96;
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
    const width = padded(small.width);
    const odds = { rows: new Float32Array(width * small.height), columns: new Float32Array(width * small.height) };
    const height = Math.max(MULTIPLE, Math.floor(MAX_RUN / width));
    for (let from = 0; from < small.height; from += height)
      await this.#strip(small, { from, to: Math.min(from + height, small.height) }, width, odds);
    const map = (plane: Float32Array): OddsMap => ({ width, odds: plane, seen: small });
    return { rows: enlarged(map(odds.rows), page), columns: enlarged(map(odds.columns), page) };
  }

  /** Odds of some rows of the page, which are seen together with those above and below them. */
  async #strip(page: Raster, { from, to }: Span, width: number, odds: Record<keyof typeof MAPS, Float32Array>) {
    const { runtime, session } = this.#onnx;
    const [top, bottom] = [Math.max(0, from - MARGIN), Math.min(page.height, to + MARGIN)];
    const height = padded(bottom - top);
    const input = new runtime.Tensor('float32', toPlane(page, top, bottom, width, height), [1, 1, height, width]);
    const result = await session.run({ [session.inputNames[0]!]: input });
    const found = result[session.outputNames[0]!]!.data as Float32Array;
    for (const kind of ['rows', 'columns'] as const) {
      const start = (MAPS[kind] * height + from - top) * width;
      odds[kind].set(found.subarray(start, start + (to - from) * width), from * width);
    }
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Log-odds of the pixels of a page that was shrunk; rows are `width` long. */
interface OddsMap {
  readonly width: number;
  readonly odds: Float32Array;
  readonly seen: { readonly width: number; readonly height: number };
}

function padded(side: number): number {
  return Math.ceil(side / MULTIPLE) * MULTIPLE;
}

/** Some rows of a page, -1 to 1; white on the right and below. */
function toPlane({ width, pixels }: Raster, top: number, bottom: number, stride: number, height: number): Float32Array {
  const plane = new Float32Array(stride * height).fill(1);
  for (let y = top; y < bottom; y++)
    for (let x = 0; x < width; x++) plane[(y - top) * stride + x] = pixels[y * width + x]! / 127.5 - 1;
  return plane;
}

/** 1 for every pixel of the page whose odds, interpolated between those of the smaller one, reach the limit. */
function enlarged({ width: stride, odds, seen }: OddsMap, { width, height }: Raster): Uint8Array {
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

/** Where the middle of a pixel is in the smaller page: behind the middle of its `first` pixel by a share of the way to the next. */
function placeOf(at: number, scale: number, length: number): { readonly first: number; readonly share: number } {
  const place = Math.min(length - 1, Math.max(0, (at + 0.5) * scale - 0.5));
  const first = Math.floor(place);
  return { first, share: place - first };
}

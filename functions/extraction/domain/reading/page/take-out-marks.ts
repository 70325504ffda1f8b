import { medianOf } from '../../median.ts';
import { histogramOf, quantileLevel } from '../levels.ts';
import type { Raster } from '../raster.ts';
import { BLOCK, type ColourPicture, HUES, type Hue, hueOf, type Mark } from './coloured-marks.ts';

/** Share of the surroundings of a mark that is no lighter than paper. */
const PAPER = 0.8;
/** Ink that passes less light of its colour than this is indistinguishable from print. */
const MIN_INK_LIGHT = 0.4;
/** In pixels: how far a mark's edges are paler than its ink. */
const EDGE = 2;

/** Part of the paper's light that a pixel has, by its index. */
type LightOf = (pixel: number) => number;

/** The marks in ink of one colour. */
interface InkMarks {
  readonly hue: Hue;
  readonly marks: readonly Mark[];
}

/**
 * Takes marks in coloured ink out of the gray levels. Ink passes light of its colour and print below it does not: a pixel becomes as dark
 * as its light of that colour falls below the level of the ink alone, for pale and dark ink.
 * @returns for every pixel that a mark covered, the levels by which it is now lighter than its light of the ink's colour, at least 1.
 */
export function takeOutMarks(gray: Raster, picture: ColourPicture, inks: readonly InkMarks[]): Uint8Array {
  const covered = new Uint8Array(gray.pixels.length);
  for (const { hue, marks } of inks) for (const mark of marks) takeOut(gray, picture, hue, mark, covered);
  return covered;
}

/** @param covered levels taken out by the earlier marks; this mark's are added. */
function takeOut(gray: Raster, { rgb }: ColourPicture, hue: Hue, mark: Mark, covered: Uint8Array): void {
  const { width, height, pixels } = gray;
  const across = Math.ceil(width / BLOCK);
  const space: number[] = [];
  for (const block of withNeighbours(mark, across)) {
    const [left, top] = [(block % across) * BLOCK, Math.floor(block / across) * BLOCK];
    for (let y = Math.max(EDGE, top); y < Math.min(height - EDGE, top + BLOCK); y++)
      for (let x = Math.max(EDGE, left); x < Math.min(width - EDGE, left + BLOCK); x++) space.push(y * width + x);
  }
  const paperOf = (level: (i: number) => number) => quantileLevel(histogramOf(Uint8Array.from(space, level)), PAPER);
  const paper = paperOf((i) => pixels[i]!);
  // Light of each colour as part of the paper's: paper is white in few pictures.
  const [own, other, another] = [0, 1, 2].map((turn) => {
    const channel = (HUES.indexOf(hue) + turn) % 3;
    const white = Math.max(
      1,
      paperOf((i) => rgb[3 * i + channel]!),
    );
    return (i: number) => rgb[3 * i + channel]! / white;
  }) as [LightOf, LightOf, LightOf];
  /** How much more there is of the ink's own colour than of the others: none of gray print and of paper. */
  const purity: LightOf = (i) => Math.max(0, own(i) - Math.max(other(i), another(i)));
  const isInk = (i: number) => hueOf(rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!) === hue;
  const inked = space.filter((i) => isInk(i) && purity(i) > 0);
  // Absorption of the ink in its own colour relative to its absorption in the others: constant for pale and dark parts.
  const taken = Math.max(0, medianOf(inked.map((i) => (1 - own(i)) / purity(i))));
  const leftBy: LightOf = (i) => 1 - taken * purity(i);
  if (medianOf(inked.map(leftBy)) < MIN_INK_LIGHT) return;
  // Encoders store colour at half the resolution of light, so that pixels next to ink are covered too.
  const near = [0, 1, EDGE].flatMap((step) => [step, -step, step * width, -step * width]);
  const isCovered = (i: number) => near.some((step) => isInk(i + step));
  for (const i of space) {
    const paled = Math.max(pixels[i]!, paper * Math.min(1, own(i)));
    pixels[i] = Math.max(pixels[i]!, leftBy(i) > 0 ? paper * Math.min(1, own(i) / leftBy(i)) : paper);
    if (isCovered(i)) covered[i] = Math.max(covered[i]!, 1, pixels[i]! - paled);
  }
}

/** The blocks of a mark and those around them, to which its pale edges belong. */
function withNeighbours(mark: Mark, across: number): ReadonlySet<number> {
  const all = new Set<number>();
  for (const block of mark)
    for (const row of [-across, 0, across]) for (const step of [-1, 0, 1]) all.add(block + row + step);
  return all;
}

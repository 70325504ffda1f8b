import type { LineRecogniser } from './line-recogniser.ts';
import { cutLine } from './structure/cells/cell-lines.ts';
import type { PageStructure } from './structure/find-tables.ts';
import { type Extent, hullOf } from './structure/tables/grid.ts';
import { findTextRows, joinNear } from './structure/tables/text-rows.ts';

/** In letter heights: words with less white between them are read together. */
const SPACE = 1.5;
/** In letter heights, of all lines of one call: the recogniser refuses more than about 5,000. */
const MAX_CALL = 3_500;
/** In letter heights, of a page: what looks like more print than this is a pattern. */
const MAX_PAGE = 20_000;
/** Mean of a line's letters, below which it is mostly one of drawings and specks. */
const MIN_CONFIDENCE = 0.5;
/** In letter heights: lines of columns of prose are so long on average, those of tables shorter. */
const PROSE = 8;
/** Least number of rows that two columns of prose share. */
const MIN_ROWS = 4;

/**
 * All lines of an upright page in the order in which they are read, those in tables too; columns of prose one after the other.
 * Empty where the page holds no text.
 */
export async function readLines(structure: PageStructure, recogniser: LineRecogniser): Promise<readonly string[]> {
  const { words, letterHeight } = structure;
  const rows = findTextRows(words, letterHeight).map(({ words: own }) => joinNear(own, SPACE * letterHeight));
  const lines = inReadingOrder(rows, letterHeight);
  const cuts = lines.flatMap((line, index) => line.map((extent) => ({ index, extent })));
  const texts: string[][] = lines.map(() => []);
  const width = cuts.reduce((total, { extent }) => total + widthOf(extent), 0);
  if (width > MAX_PAGE * letterHeight) return [];
  for (let from = 0; from < cuts.length; ) {
    const call: { readonly index: number; readonly extent: Extent }[] = [];
    for (let length = 0; from < cuts.length && length <= MAX_CALL; from++) {
      const cut = cuts[from]!;
      length += widthOf(cut.extent) / heightOf(cut.extent);
      call.push(cut);
    }
    const readings = await recogniser.recognise(call.map(({ extent }) => cutLine(extent, extent, structure)));
    readings.forEach(({ text: { text, confidence, letters = [confidence] } }, place) => {
      // Of a long line the confidence in all of it says little.
      const mean = letters.reduce((total, each) => total + each, 0) / Math.max(1, letters.length);
      if (mean >= MIN_CONFIDENCE && text.trim() !== '') texts[call[place]!.index]!.push(text.trim());
    });
  }
  return texts.map((parts) => parts.join('  ')).filter((line) => line !== '');
}

type Row = readonly Extent[];

/** Rows from top to bottom; in two columns of prose, all rows of the left one first. */
function inReadingOrder(rows: readonly Row[], letterHeight: number): readonly Row[] {
  const gutter = gutterOf(rows);
  const ordered: Row[] = [];
  let band: Row[] = [];
  const close = () => {
    const left = band.map((row) => row.filter((extent) => extent.right <= gutter)).filter(({ length }) => length > 0);
    const right = band.map((row) => row.filter((extent) => extent.left >= gutter)).filter(({ length }) => length > 0);
    const isProse = [left, right].every(
      (column) => column.length >= MIN_ROWS && meanWidth(column) >= PROSE * letterHeight,
    );
    ordered.push(...(isProse ? [...left, ...right] : band));
    band = [];
  };
  for (const row of rows) {
    const isAcross = row.some(({ left, right }) => left < gutter && right > gutter);
    if (isAcross) close();
    if (isAcross) ordered.push(row);
    else band.push(row);
  }
  close();
  return ordered;
}

const STEPS = 40;

/** The place in the middle half of the page that the fewest lines run across. */
function gutterOf(rows: readonly Row[]): number {
  const extents = rows.flat();
  if (extents.length === 0) return 0;
  const { left, right } = extents.reduce(hullOf);
  const at = (step: number) => left + (right - left) * (0.25 + (0.5 * step) / STEPS);
  const crossed = (x: number) => extents.filter((extent) => extent.left < x && extent.right > x).length;
  const places = Array.from({ length: STEPS + 1 }, (_, step) => ({ x: at(step), crossed: crossed(at(step)) }));
  const least = Math.min(...places.map((place) => place.crossed));
  const best = places.filter((place) => place.crossed === least);
  return best[Math.floor(best.length / 2)]!.x;
}

function meanWidth(rows: readonly Row[]): number {
  const extents = rows.flat();
  return extents.reduce((total, extent) => total + widthOf(extent), 0) / extents.length;
}

const widthOf = ({ left, right }: Extent): number => right - left;
const heightOf = ({ top, bottom }: Extent): number => Math.max(1, bottom - top);

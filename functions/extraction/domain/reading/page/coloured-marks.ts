import { medianOf } from '../../median.ts';
import { range } from '../../range.ts';
import type { Extent } from '../structure/tables/grid.ts';

/** Side of the blocks in which coloured ink is put together, pixels. */
export const BLOCK = 4;
/** Levels by which one of red, green and blue is above the two others in ink of that colour, also where it is pale. */
const MIN_HUE = 26;
/** A seal's or a ring's sides as parts of the picture's longer side: letters are smaller, a form's frame is larger. */
const MIN_SEAL = 0.03;
const MAX_SEAL = 0.35;
/** Minimum length of a pen's stroke, in the same unit; it may cross the page. */
const MIN_STROKE = 0.06;
/** In blocks: a stroke that is no higher may underline a word or rule a form. */
const MIN_STROKE_HEIGHT = 4;
/** Part of the space that a stroke goes around, or through, which is ink: of a line of letters it is more. */
const MAX_STROKE_FILL = 0.4;
/** Places at which a row goes through the ink of a long stroke: a scribble comes to seven. */
const MAX_LINES = 8;
/** Lines that a form's frame has side by side; a ring has two, and where two rings meet they have four. */
const MIN_FRAME_LINES = 5;
/** Blocks of coloured ground to one at its edge; those of strokes are nearly all at the edge. */
const GROUND = 3;
/** On more of the page than this, the colour is what the page is printed in. */
const MAX_SHARE = 0.08;
/** Pieces of coloured ink, larger than letters: a coloured picture has more. */
const MAX_SHAPES = 200;
/** Part of the picture that marks cover at most: more are not taken out. */
const MAX_COVERED = 0.25;
/** Part of a box's sides, and blocks, within which its corners lie; a ring has none there. */
const CORNER = { share: 0.08, blocks: 2 };
const MAX_CORNERS = 2;

/** A colour picture, three bytes a pixel. */
export interface ColourPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** In the order of a pixel's bytes. */
export const HUES = ['red', 'green', 'blue'] as const;
export type Hue = (typeof HUES)[number];

/** The colour of ink; null for black, gray and paper. */
export function hueOf(r: number, g: number, b: number): Hue | null {
  if (r - g >= MIN_HUE && r - b >= MIN_HUE) return 'red';
  if (g - r >= MIN_HUE && g - b >= MIN_HUE) return 'green';
  return b - r >= MIN_HUE && b - g >= MIN_HUE ? 'blue' : null;
}

/** How many pixels of one colour each block of a picture has, line by line. */
export interface ColouredBlocks {
  readonly across: number;
  readonly counts: Uint8Array;
}

/** Blocks, by their index, that one mark covers. */
export type Mark = readonly number[];

/**
 * Handmade marks in one colour on printed paper: seals and rings in red, and pen strokes in any colour. Letters, boxes and forms printed
 * in the colour do not count, nor does coloured ground.
 */
export function colouredMarks({ across, counts }: ColouredBlocks, hue: Hue): readonly Mark[] {
  const side = Math.max(across, counts.length / across);
  const inked = shapesIn(counts, across).filter(({ part }) => longerOf(part) >= MIN_SEAL * side);
  if (inked.length > MAX_SHAPES) return [];
  const grounds = new Set(inked.filter((shape) => isGround(shape, side)));
  const shapes = inked.filter((shape) => !grounds.has(shape));
  const inkOf = (blocks: Iterable<number>) => {
    let ink = 0;
    for (const block of blocks) ink += counts[block]!;
    return ink;
  };
  const ink = inkOf(counts.keys()) - inkOf([...grounds].flatMap(({ blocks }) => blocks));
  if (ink > MAX_SHARE * BLOCK * BLOCK * counts.length) return [];
  const isRedSeal = (shape: Shape) => hue === 'red' && isSeal(shape, side);
  const seals = shapes.filter(isRedSeal).map(({ part }) => blocksWithin(part, across));
  const strokes = shapes.filter((shape) => isStroke(shape, side) && !isRedSeal(shape)).map(({ blocks }) => blocks);
  const isForm = shapes.some((shape) => longerOf(shape.part) > MAX_SEAL * side && linesOf(shape) >= MIN_FRAME_LINES);
  const isPrinted = isForm || inkOf([...seals, ...strokes].flat()) < ink / 2;
  return firstWithin(MAX_COVERED * counts.length, isPrinted ? seals : [...seals, ...strokes]);
}

/** The first marks up to a total of this number of blocks: hundreds of nested rings would take too long. */
function firstWithin(blocks: number, marks: readonly Mark[]): readonly Mark[] {
  let covered = 0;
  return marks.filter((mark) => {
    covered += mark.length;
    return covered <= blocks;
  });
}

/** The letters of a seal are separate from its frame. */
function blocksWithin({ left, top, right, bottom }: Extent, across: number): readonly number[] {
  const blocks: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) blocks.push(y * across + x);
  return blocks;
}

/** Ink that hangs together, as blocks of the picture and within its own space. */
interface Shape {
  readonly part: Extent;
  readonly blocks: readonly number[];
  readonly has: (x: number, y: number) => boolean;
}

function shapesIn(counts: Uint8Array, across: number): readonly Shape[] {
  const left = counts.slice();
  const shapes: Shape[] = [];
  for (let block = 0; block < left.length; block++) if (left[block]) shapes.push(shapeOf(block, left, across));
  return shapes;
}

/** @param left the blocks with ink that are of no shape yet; those of this one are taken from it. */
function shapeOf(first: number, left: Uint8Array, across: number): Shape {
  const blocks = [first];
  left[first] = 0;
  const part = { left: across, top: Math.floor(first / across), right: 0, bottom: 0 };
  // The list is gone through while it grows.
  for (const block of blocks) {
    const [x, y] = [block % across, Math.floor(block / across)];
    part.left = Math.min(part.left, x);
    part.right = Math.max(part.right, x + 1);
    part.bottom = Math.max(part.bottom, y + 1);
    for (let dy = -across; dy <= across; dy += across)
      for (let dx = x > 0 ? -1 : 0; dx <= (x < across - 1 ? 1 : 0); dx++) {
        const next = block + dy + dx;
        if (!left[next]) continue;
        left[next] = 0;
        blocks.push(next);
      }
  }
  const [width, height] = sizeOf(part);
  let own: Uint8Array | null = null;
  const has = (x: number, y: number) => {
    if (own === null) {
      own = new Uint8Array(width * height);
      for (const block of blocks)
        own[(Math.floor(block / across) - part.top) * width + (block % across) - part.left] = 1;
    }
    return x >= 0 && x < width && own[y * width + x] === 1;
  };
  return { part, blocks, has };
}

function isGround({ part, blocks, has }: Shape, side: number): boolean {
  if (longerOf(part) <= MAX_SEAL * side) return false;
  const [width, height] = sizeOf(part);
  let edge = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (has(x, y) && !(has(x - 1, y) && has(x + 1, y) && has(x, y - 1) && has(x, y + 1))) edge++;
  return blocks.length > GROUND * edge;
}

function isSeal({ part }: Shape, side: number): boolean {
  return Math.min(...sizeOf(part)) >= MIN_SEAL * side && longerOf(part) <= MAX_SEAL * side;
}

function isStroke(shape: Shape, side: number): boolean {
  const [width, height] = sizeOf(shape.part);
  if (longerOf(shape.part) < MIN_STROKE * side || Math.min(width, height) < MIN_STROKE_HEIGHT) return false;
  const isThin = shape.blocks.length <= MAX_STROKE_FILL * width * height;
  return isThin && cornersOf(shape) <= MAX_CORNERS && !(width > MAX_SEAL * side && isPrint(shape));
}

/** Whether a row through it meets so much ink apart from each other as a line of letters has: the header of a form without frame. */
function isPrint({ part, has }: Shape): boolean {
  const [width, height] = sizeOf(part);
  return range(0, height).some((y) => linesAlong(width, (x) => has(x, y)) > MAX_LINES);
}

/** How many of the corners of its space the ink reaches. */
function cornersOf({ part, has }: Shape): number {
  const [width, height] = sizeOf(part);
  const [across, down] = [width, height].map((side) => Math.max(CORNER.blocks, Math.round(CORNER.share * side))) as [
    number,
    number,
  ];
  const reaches = (left: number, top: number) => {
    for (let y = top; y < top + down; y++) for (let x = left; x < left + across; x++) if (has(x, y)) return true;
    return false;
  };
  return [
    reaches(0, 0),
    reaches(width - across, 0),
    reaches(0, height - down),
    reaches(width - across, height - down),
  ].filter(Boolean).length;
}

/** Lines side by side that most of the rows or the columns through it cross. */
function linesOf({ part, has }: Shape): number {
  const [width, height] = sizeOf(part);
  const rows = range(0, height).map((y) => linesAlong(width, (x) => has(x, y)));
  const columns = range(0, width).map((x) => linesAlong(height, (y) => has(x, y)));
  return Math.max(medianOf(rows), medianOf(columns));
}

/** How often ink starts along a row or a column. */
function linesAlong(length: number, isInk: (at: number) => boolean): number {
  let lines = 0;
  for (let at = 0; at < length; at++) if (isInk(at) && !isInk(at - 1)) lines++;
  return lines;
}

function sizeOf({ left, top, right, bottom }: Extent): readonly [width: number, height: number] {
  return [right - left, bottom - top];
}

function longerOf(part: Extent): number {
  return Math.max(...sizeOf(part));
}

import { type Component, findComponents } from './components.ts';
import type { Ink } from './ink.ts';

/** In letter heights: no stroke of a letter runs straight for so long. */
const STRAIGHT = 2;
/** In letter heights: a piece that is taller may be letters and a stroke; letters that touch each other are no taller than one. */
const JOINED = 1.45;
/** In square letter heights: larger pieces are frames and pictures; and all that is looked into of one page. */
const MAX_AREA = { one: 1_500, all: 6_000 };
/** Of a piece's area: strokes are thin. */
const MAX_INKED = 0.5;
/** For each pixel of a piece's box; a ring around a line of print takes seven. */
const MAX_STEPS = 25;
/** Directions in which a stroke may run, over half a turn. */
const DIRECTIONS = 24;
/** In letter heights: distance from a line's print to its next letter. */
const BESIDE = 1.5;
/** In letter heights: letters, and the parts of them that a stroke leaves. */
const LETTER = { min: 0.35, max: 1.6 };
const PART = { min: 0.18, max: 1.6 };
/** In letter heights: digits that stand alone in their column, no further off the height of their line's print than `level`. */
const DIGIT = { min: 0.7, max: 1.4, level: 0.2 };

/**
 * A pen's stroke merges the letters that it crosses. The remainder of such a component without the stroke, as far as it is in line with
 * other print, is added to the components, and the original is marked as a stroke. Letters are then found in their places; recognition
 * still uses the stroke, because a fragmented letter reads worse than a struck-through one.
 * @param components of `ink`.
 */
export function withPrintUnderStrokes(
  ink: Ink,
  components: readonly Component[],
  letterHeight: number,
): readonly Component[] {
  const known = new Set(components.map(keyOf));
  const under = new Map<string, { readonly piece: Component; readonly of: Component }>();
  let room = MAX_AREA.all * letterHeight ** 2;
  for (const joined of components) {
    if (joined.bottom - joined.top < JOINED * letterHeight) continue;
    const area = (joined.right - joined.left) * (joined.bottom - joined.top);
    if (area > Math.min(room, MAX_AREA.one * letterHeight ** 2) || joined.area > MAX_INKED * area) continue;
    room -= area;
    const rest = withoutLongRuns(crop(ink, joined), STRAIGHT * letterHeight);
    if (!rest) continue;
    for (const piece of findComponents(rest).map((one) => moved(one, joined.left, joined.top)))
      if (!known.has(keyOf(piece)) && isAsLarge(piece, PART, letterHeight))
        under.set(keyOf(piece), { piece, of: joined });
  }
  if (under.size === 0) return components;
  const letters = components.filter((one) => isAsLarge(one, LETTER, letterHeight));
  const found = inLine(
    [...under.values()].map(({ piece }) => piece),
    letters,
    letterHeight,
  );
  const strokes = new Set(found.map((piece) => under.get(keyOf(piece))!.of));
  return [...components.map((one) => (strokes.has(one) ? { ...one, stroke: true as const } : one)), ...found];
}

/** The pieces in line with letters, or with another such piece. */
function inLine(
  pieces: readonly Component[],
  letters: readonly Component[],
  letterHeight: number,
): readonly Component[] {
  const bandOf = ({ top, bottom }: Component) => Math.floor((top + bottom) / (2 * letterHeight));
  const found: Component[] = [];
  let open = pieces;
  let beside = letters;
  while (open.length > 0) {
    // Aligned pieces are within one band of each other: a page may have a hundred thousand letters.
    const bands = Map.groupBy(beside, bandOf);
    const next = open.filter((piece) => {
      const band = bandOf(piece);
      return [band - 1, band, band + 1].some((near) =>
        bands
          .get(near)
          ?.some((letter) => isBeside(piece, letter, letterHeight) || isLevelDigit(piece, letter, letterHeight)),
      );
    });
    if (next.length === 0) break;
    found.push(...next);
    const taken = new Set(next);
    open = open.filter((piece) => !taken.has(piece));
    beside = next;
  }
  return found;
}

function isAsLarge({ left, right, top, bottom }: Component, { min, max }: typeof PART, letterHeight: number): boolean {
  const size = Math.max(right - left, bottom - top);
  return size >= min * letterHeight && size <= max * letterHeight;
}

function isBeside(piece: Component, letter: Component, letterHeight: number): boolean {
  const gap = Math.max(piece.left - letter.right, letter.left - piece.right);
  const shared = Math.min(piece.bottom, letter.bottom) - Math.max(piece.top, letter.top);
  return gap <= BESIDE * letterHeight && 2 * shared >= Math.min(piece.bottom - piece.top, letter.bottom - letter.top);
}

function isLevelDigit(piece: Component, letter: Component, letterHeight: number): boolean {
  const height = piece.bottom - piece.top;
  const slack = DIGIT.level * letterHeight;
  return (
    height >= DIGIT.min * letterHeight &&
    height <= DIGIT.max * letterHeight &&
    Math.abs(piece.top - letter.top) <= slack &&
    Math.abs(piece.bottom - letter.bottom) <= slack
  );
}

/** @returns null where nothing runs straight for so long, or everything does, as in a pattern. */
function withoutLongRuns({ width, height, bits }: Ink, length: number): Ink | null {
  const rest = bits.slice();
  let left = MAX_STEPS * bits.length;
  let found = false;
  for (let k = 0; k < DIRECTIONS; k++) {
    const [dx, dy] = [Math.cos((Math.PI * k) / DIRECTIONS), Math.sin((Math.PI * k) / DIRECTIONS)];
    const side = Math.abs(dx) > Math.abs(dy) ? width : 1;
    for (let y = 0, from = 0; y < height; y++)
      for (let x = 0; x < width; x++, from++) {
        if (!bits[from]) continue;
        const before = placeAt(x - dx, y - dy, width, height);
        if (before >= 0 && bits[before]) continue;
        // A run that deviates by one pixel across its direction continues.
        let steps = 1;
        let to = placeAt(x + dx, y + dy, width, height);
        while (to >= 0 && (bits[to] || bits[to - side] || bits[to + side])) {
          steps++;
          to = placeAt(x + steps * dx, y + steps * dy, width, height);
        }
        left -= steps;
        if (left < 0) return null;
        if (steps < length) continue;
        found = true;
        for (let step = 0; step < steps; step++) {
          const at = placeAt(x + step * dx, y + step * dy, width, height);
          rest[at] = 0;
          if (at >= side) rest[at - side] = 0;
          if (at + side < rest.length) rest[at + side] = 0;
        }
      }
  }
  return found ? { width, height, bits: rest } : null;
}

/** The index of the pixel at a place; -1 beyond the edges. */
function placeAt(x: number, y: number, width: number, height: number): number {
  const column = Math.round(x);
  const row = Math.round(y);
  return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
}

function crop({ width, bits }: Ink, { left, top, right, bottom }: Component): Ink {
  const part = { width: right - left, height: bottom - top, bits: new Uint8Array((right - left) * (bottom - top)) };
  for (let y = top; y < bottom; y++)
    part.bits.set(bits.subarray(y * width + left, y * width + right), (y - top) * part.width);
  return part;
}

function moved({ left, top, right, bottom, area }: Component, x: number, y: number): Component {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y, area };
}

function keyOf({ left, top, right, bottom }: Component): string {
  return `${left},${top},${right},${bottom}`;
}

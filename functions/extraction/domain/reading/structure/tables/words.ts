import type { Component } from '../ink/components.ts';

/** A run of letters on one line without a wide gap. */
export interface Word {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The same print in words that narrow blanks part, and in such that hardly more than the white between letters does. */
export interface Words {
  readonly close: readonly Word[];
  readonly tight: readonly Word[];
}

/** Height in pixels of the letters in which most of the page is set; null with too few letters. */
export function bodyHeight(components: readonly Component[]): number | null {
  const heights = components
    .map((component) => component.bottom - component.top)
    .filter((height) => height >= 5 && height <= 80)
    .sort((a, b) => a - b);
  if (heights.length < 8) return null;
  // Hangul falls apart into letters' parts: the upper part of the distribution is whole letters.
  return heights[Math.floor(heights.length * 0.75)]!;
}

/** Joins letters into words: neighbours on one line no further apart than `gap` letter heights. */
export function findWords(components: readonly Component[], letterHeight: number, gap = 0.7): readonly Word[] {
  const letters = components.filter((component) => isLetter(component, letterHeight)).sort((a, b) => a.left - b.left);
  let open: Extendable[] = [];
  const done: Extendable[] = [];
  for (const letter of letters) {
    const gone = open.filter((word) => letter.left - word.right > gap * letterHeight);
    if (gone.length > 0) {
      done.push(...gone);
      open = open.filter((word) => !gone.includes(word));
    }
    const word = wordFor(letter, open, letterHeight);
    if (word) {
      word.left = Math.min(word.left, letter.left);
      word.top = Math.min(word.top, letter.top);
      word.right = Math.max(word.right, letter.right);
      word.bottom = Math.max(word.bottom, letter.bottom);
    } else open.push({ left: letter.left, top: letter.top, right: letter.right, bottom: letter.bottom });
  }
  return withoutParts(
    [...done, ...open].filter((word) => word.bottom - word.top >= 0.4 * letterHeight),
    letterHeight,
  );
}

/** In letter heights: a part of a letter is lower than this. */
const PART = 0.6;
/** In letter heights: how far a part may reach beyond the others. */
const BEYOND = 0.15;

/** Words without those that are a part of another's letter, which no open word was level with. */
function withoutParts(words: readonly Extendable[], letterHeight: number): readonly Word[] {
  const beyond = BEYOND * letterHeight;
  const isLow = ({ top, bottom }: Extendable) => bottom - top < PART * letterHeight;
  // Where both start, the whole comes first.
  const begin = (word: Extendable) => (isLow(word) ? word.left : word.left - beyond);
  let open: Extendable[] = [];
  return words
    .toSorted((a, b) => begin(a) - begin(b))
    .filter((word) => {
      open = open.filter(({ right }) => right > word.left);
      if (!isLow(word)) return open.push(word);
      const isWhole = ({ top, bottom, right }: Extendable) =>
        word.right - right <= beyond && top - word.top <= beyond && word.bottom - bottom <= beyond;
      const whole = open.find(isWhole);
      if (whole) {
        whole.top = Math.min(whole.top, word.top);
        whole.bottom = Math.max(whole.bottom, word.bottom);
      }
      return !whole;
    });
}

interface Extendable {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The open word on the letter's line; marks (commas, dots) may lie a little off it. */
function wordFor(letter: Component, open: readonly Extendable[], letterHeight: number): Extendable | null {
  const height = letter.bottom - letter.top;
  const slack = height < 0.45 * letterHeight ? 0.25 * letterHeight : 0;
  let best: Extendable | null = null;
  let bestOverlap = 0;
  for (const word of open) {
    const overlap = Math.min(letter.bottom, word.bottom) - Math.max(letter.top, word.top) + slack;
    const needed = 0.3 * Math.min(height, word.bottom - word.top);
    const together = Math.max(letter.bottom, word.bottom) - Math.min(letter.top, word.top);
    if (overlap > 0 && overlap >= needed && overlap > bestOverlap && together <= 1.9 * letterHeight) {
      best = word;
      bestOverlap = overlap;
    }
  }
  return best;
}

function isLetter({ left, top, right, bottom, area, stroke }: Component, letterHeight: number): boolean {
  if (stroke) return false;
  const width = right - left;
  const height = bottom - top;
  // A full stop of a small print is two pixels.
  if (area < Math.min(3, letterHeight / 5) || height > 2.2 * letterHeight || width > 12 * letterHeight) return false;
  // Specks of noise; a comma or a full stop is still a sixth of a letter.
  return Math.max(width, height) >= Math.max(2, Math.floor(letterHeight / 8));
}

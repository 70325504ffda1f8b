import type { LineImage, LineRecogniser } from './line-recogniser.ts';
import { firstLook, LOOK_HEIGHT, readLooks, stretched, withMargins } from './looks.ts';
import { doubtedReading } from './reading-parts.ts';
import type { Reading, ReadText } from './table-reader.ts';

/** A column's other numbers; in addition, a number or code in the row. */
const NUMBER = /^\d{1,4}(?:\.\d{1,4})?$/;
const HAS_DIGIT = /\d/;
const DIGIT = /^\d$/;
/** In heights of the line: a digit is no wider. */
const MAX_WIDTH = 1.5;
/** Stretch factors of the samples, and the margin added on either side in line heights. */
const LOOKS = [
  { wider: 1, margin: 0.5 },
  { wider: 1, margin: 1 },
  { wider: 1.15, margin: 0 },
  { wider: 1.3, margin: 0.5 },
];
const MIN_ALIKE = 2;
const MAX_DIGITS = 40;

/**
 * A small digit that stands alone may be read as nothing: a network that reads lines wants some paper around it. With numbers above or below it
 * and digits in its row, it is read again with that; the result is the digit that most looks see, doubted.
 * @param places of the page, each with one line.
 * @param cut the picture of a place's line.
 */
export async function unreadDigits<Place extends ReadText>(
  places: readonly Place[],
  cut: (place: Place) => LineImage,
  recogniser: LineRecogniser,
): Promise<ReadonlyMap<Place, Reading>> {
  const unread = places.filter((place) => isUnreadDigit(place, places)).slice(0, MAX_DIGITS);
  if (unread.length === 0) return new Map();
  const looks = await readLooks(
    unread.map((place) => looksAt(cut(place))),
    recogniser,
  );
  return new Map(
    unread.flatMap((place, n) => {
      const digit = seenByMost(looks[n]!.map(({ text }) => text));
      return digit ? [[place, doubtedReading(digit)] as const] : [];
    }),
  );
}

function isUnreadDigit({ text, box }: ReadText, places: readonly ReadText[]): boolean {
  if (text !== '' || box.width > MAX_WIDTH * box.height) return false;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const isInColumn = (other: ReadText) => x > other.box.x && x < other.box.x + other.box.width;
  const isInRow = (other: ReadText) => y > other.box.y && y < other.box.y + other.box.height;
  return (
    places.some((other) => NUMBER.test(other.text) && isInColumn(other)) &&
    places.some((other) => HAS_DIGIT.test(other.text) && isInRow(other))
  );
}

function looksAt(line: LineImage): readonly LineImage[] {
  const image = firstLook(line);
  return LOOKS.map(({ wider, margin }) => withMargins(stretched(image, wider), Math.round(margin * LOOK_HEIGHT)));
}

/** The digit that most looks agree on, as sure as the surest of them; null where they see several, or something else. */
function seenByMost(looks: readonly Reading[]): Reading | null {
  const seen = looks.filter(({ text }) => text !== '');
  const [first] = seen.toSorted((a, b) => b.confidence - a.confidence);
  const isOne = seen.length >= MIN_ALIKE && DIGIT.test(first!.text) && seen.every(({ text }) => text === first!.text);
  return isOne ? first! : null;
}

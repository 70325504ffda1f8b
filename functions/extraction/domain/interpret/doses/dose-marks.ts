/** Separators of dose, times a day and days: a mark, or a letter misread for a cross. */
export const MARK = /[/×*·|xX]/;
/** Possible misreadings of such a mark or its adjacent blank: not part of a number there. */
const BESIDE_MARK = /[\s._,]/;

/**
 * A stretch of a text without misread marks.
 * @param atStart signs that may be left out at its start.
 */
export function betweenMarks(
  text: string,
  from: number,
  to: number,
  atStart = BESIDE_MARK,
): readonly [from: number, to: number] {
  let [start, end] = [from, to];
  while (start < end && atStart.test(text[start]!)) start++;
  while (end > start && BESIDE_MARK.test(text[end - 1]!)) end--;
  return [start, end];
}

/** What parts dose, times a day and days: a mark, or a letter that a cross is read as. */
export const MARK = /[/×*·|xX]/;
/** What such a mark or the blank beside it may be read as besides: no part of a number there. */
const BESIDE_MARK = /[\s._,]/;

/**
 * A stretch of a text without what was read beside marks.
 * @param atStart what may be left out at its beginning.
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

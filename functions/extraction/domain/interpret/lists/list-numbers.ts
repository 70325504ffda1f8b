import { partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';

/**
 * A number of one or two digits before a word, with a point or a bracket behind it, or with a blank, which may be lost before a capital letter; a
 * circle around it may be read as a bracket.
 */
const NUMBERED =
  /^(?:(?<number>\d{1,2})(?<mark>[.,)]\s?|\s|(?=[A-Z][a-z]))|(?<circled>[([]?[①-⑳][)\]]?|[([]\d{1,2}[)\]]?)\s?)(?=\D)/;
/** A list number by itself, between the two lines of its row. */
const ALONE = /^\d{1,2}[.)]$/;
/** Of the names: a number may be misread here and there. */
const MIN_SHARE = 0.6;

export function isListNumber(text: string): boolean {
  return ALONE.test(text);
}

/**
 * Names without the numbers before them that count a list's rows, if these rise by one from row to row.
 * @param names null for a row without one.
 */
export function withoutListNumbers(names: readonly (Reading | null)[]): readonly (Reading | null)[] {
  const numbered = names.flatMap((name, row) => {
    const { number, mark, circled } = (name && NUMBERED.exec(name.text)?.groups) ?? {};
    const digits = number ?? circled?.normalize('NFKC').replace(/\D/g, '');
    return digits === undefined ? [] : [{ row, first: Number(digits) - row, isMarked: mark?.trim() !== '' }];
  });
  const rising = numbered.filter(({ first }) => first === numbered[0]!.first);
  const isOne = names.length === 1 && rising.some(({ first, isMarked }) => first === 1 && isMarked);
  if (!isOne && (rising.length < 2 || rising.length < MIN_SHARE * names.length)) return names;
  const rows = new Set(rising.map(({ row }) => row));
  return names.map((name, row) => {
    const numbered = name && NUMBERED.exec(name.text);
    // A digit in a circle may be read as another one.
    return numbered && (rows.has(row) || numbered.groups!.circled)
      ? partOf(name, numbered[0].length, name.text.length)
      : name;
  });
}

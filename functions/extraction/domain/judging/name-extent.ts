import type { DrugTable } from '../drug-line.ts';

/** Names that fill the same column differ this much in width, since letters do. */
const SAME_WIDTH = 0.7;

/**
 * Whether a printed name ends before the listed one although this sheet has room for more: the second line of a wrapped
 * name was probably not read. A sheet that cuts names off cuts all of them at one width; one that leaves out ingredients
 * leaves out most of them.
 */
export function endsTooEarly(table: DrugTable, name: string, isCut: boolean): boolean {
  const names = table.lines.map(({ drugName }) => drugName.value).filter((value) => value !== null);
  if (displayWidth(name) >= Math.max(...names.map(displayWidth)) * SAME_WIDTH) return false;
  const bracketed = names.filter((other) => other.includes('(')).length;
  return isCut || (!name.includes('(') && bracketed > names.length / 2);
}

/** In half-width letters: Hangul is twice as wide as Latin. */
function displayWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letter.codePointAt(0)! >= 0x1100 ? 2 : 1;
  return width;
}

import { toDrugCode } from './drug-code.ts';
import { foldName } from './name-parts.ts';

/** A start of a code has a digit; a shorter text is more often part of a name. */
const CODE_START = /^(?=[A-Z]*\d)[A-Z\d]{3,20}$/;

/**
 * Positions of the drugs that a person may mean by `text`: by the start of the code, else by each word of the name. Names that start with
 * the first word come first, the shorter ones before the longer.
 * @param foldedNames as `foldName` returns them.
 */
export function matchesOf(
  text: string,
  foldedNames: readonly string[],
  codeAt: (index: number) => string,
): readonly number[] {
  const code = toDrugCode(text).lookup;
  if (CODE_START.test(code)) {
    const found = foldedNames.flatMap((_, index) => (codeAt(index).startsWith(code) ? [index] : []));
    if (found.length > 0) return found;
  }
  const words = text.split(/\s+/).map(foldName).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  const rank = (index: number) => (foldedNames[index]!.startsWith(first) ? 0 : 1);
  return foldedNames
    .flatMap((name, index) => (words.every((word) => name.includes(word)) ? [index] : []))
    .sort((a, b) => rank(a) - rank(b) || foldedNames[a]!.length - foldedNames[b]!.length || a - b);
}

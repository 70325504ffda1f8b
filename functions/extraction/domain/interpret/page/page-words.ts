import { editDistances } from '../../text/edit-distance.ts';
import { toJamo } from '../../text/jamo.ts';

/** A word that pages of some kind print, with how much it says. */
export type WeighedWord = readonly [word: string, weight: number];

/** The letters of each line, as words are looked for in them: forms space titles widely, and readings lose blanks. */
export function lettersOfLines(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.normalize('NFKC').replace(/[^\p{L}]/gu, '')).filter((line) => line.length > 1);
}

/** The weights of the words that lines hold, each counted once. */
export function scoreOf(lines: readonly string[], words: readonly WeighedWord[]): number {
  return words.reduce((sum, [word, weight]) => sum + (lines.some((line) => mentions(line, word)) ? weight : 0), 0);
}

/** Whether a line holds the word, one letter in six misread. */
function mentions(line: string, word: string): boolean {
  if (line.includes(word)) return true;
  if (word.length < 3) return false;
  const letters = toJamo(word);
  const allowed = Math.floor(letters.length / 6);
  const syllables = new Set(word);
  for (let start = 0; start + word.length <= line.length; start++) {
    const part = line.slice(start, start + word.length);
    // A letter that is misread changes two syllables at most: most parts need no comparison.
    let same = 0;
    for (const syllable of part) if (syllables.has(syllable)) same++;
    if (same < word.length - 2 * allowed) continue;
    if (editDistances(letters, toJamo(part)).whole <= allowed) return true;
  }
  return false;
}

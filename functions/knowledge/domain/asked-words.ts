import { nearSpellings, otherSpellings } from './spellings.ts';
import { questionTerms, type Term, termsByWeight, wordTerm } from './terms.ts';

/** A word of a question in its own spelling and in others: its terms, by how much they say. */
export type AskedWord = readonly ReadonlyMap<Term, number>[];

/** @param passagesWith how many passages have a term. */
export function askedWords(question: string, passagesWith: (term: Term) => number): readonly AskedWord[] {
  const asked = new Map(questionTerms(question));
  return question
    .split(/\s+/)
    .map((word) => {
      const own = new Map<Term, number>();
      for (const term of termsByWeight(word).keys()) {
        const weight = asked.get(term);
        // A term counts once, with the first word that has it.
        if (weight !== undefined && asked.delete(term)) own.set(term, weight);
      }
      return own.size === 0 ? [] : [own, ...othersOf(word, passagesWith)];
    })
    .filter((spellings) => spellings.length > 0);
}

function othersOf(word: string, passagesWith: (term: Term) => number): AskedWord {
  const spellings = otherSpellings(word);
  const mended = spellings.length === 0 ? mendedSpelling(word, passagesWith) : null;
  return [...spellings, ...(mended === null ? [] : [mended])].map(termsByWeight);
}

/** The word of the index that a Latin word which no passage has is most likely meant to be. */
function mendedSpelling(word: string, passagesWith: (term: Term) => number): string | null {
  const [run = ''] = word.match(/[A-Za-z]+/) ?? [];
  if (passagesWith(wordTerm(run)) > 0) return null;
  let best: string | null = null;
  let most = 0;
  for (const spelling of nearSpellings(run)) {
    const found = passagesWith(wordTerm(spelling));
    if (found > most) [best, most] = [spelling, found];
  }
  return best;
}

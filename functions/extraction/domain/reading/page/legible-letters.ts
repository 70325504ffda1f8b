import type { LineReading } from '../line-recogniser.ts';

/** In letter heights; more of a word adds no evidence about its orientation. */
export const MAX_WORD_LENGTH = 12;

/** How many letters of a word are likely read right; a lone one may read well on its head or in a mirror. */
export function legibleLetters({ text: { text, confidence } }: LineReading): number {
  return text.length < 2 ? 0 : Math.min(text.length, MAX_WORD_LENGTH) * confidence;
}

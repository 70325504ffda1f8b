/** Latin words in a row that make a sentence. */
const MIN_WORDS = 3;
/** Words in letters alone: codes, numbers and addresses have other characters. */
const WORD = /(?<![\w./@:_-])[A-Za-z][A-Za-z’']*(?![\w/@:_-]|\.\w)/.source;
const SENTENCE = new RegExp(`${WORD}(?: ${WORD}){${MIN_WORDS - 1},}`, 'g');

/** Every row of three or more Latin words in a text, which a page in Korean must not have. */
export function latinSentences(text: string): readonly string[] {
  return text.match(SENTENCE) ?? [];
}

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const VOWELS = 21;
const FINALS = 28;
const INITIAL_BASE = 0x1100;
const VOWEL_BASE = 0x1161;
const FINAL_BASE = 0x11a7;
const SYLLABLE = /^[가-힣]$/;

/**
 * Splits Hangul syllables into their letters (jamo), as code points; every other character stays one symbol. Most
 * misreadings change one jamo of a syllable, so distances are taken here and not over syllables.
 */
export function toJamo(text: string): Uint16Array {
  const symbols = new Uint16Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < FIRST_SYLLABLE || unit > LAST_SYLLABLE) {
      symbols[length++] = unit;
      continue;
    }
    const [initial, vowel, final] = placesOf(unit);
    symbols[length++] = INITIAL_BASE + initial;
    symbols[length++] = VOWEL_BASE + vowel;
    if (final > 0) symbols[length++] = FINAL_BASE + final;
  }
  return symbols.subarray(0, length);
}

/** Whether two syllables differ in exactly one place: the initial, the vowel or the final, which may be absent. */
export function isOneLetterApart(a: string, b: string): boolean {
  if (!SYLLABLE.test(a) || !SYLLABLE.test(b)) return false;
  const others = placesOf(b.charCodeAt(0));
  return placesOf(a.charCodeAt(0)).filter((letter, place) => letter !== others[place]).length === 1;
}

/** @param unit of a syllable. */
function placesOf(unit: number): readonly [initial: number, vowel: number, final: number] {
  const index = unit - FIRST_SYLLABLE;
  return [Math.floor(index / (VOWELS * FINALS)), Math.floor(index / FINALS) % VOWELS, index % FINALS];
}

/** Whether two words are alike but for one syllable, which differs by one letter. */
export function isOneSyllableApart(a: string, b: string): boolean {
  const others = [...a].flatMap((syllable, at) => (syllable === b[at] ? [] : at));
  return a.length === b.length && others.length === 1 && isOneLetterApart(a[others[0]!]!, b[others[0]!]!);
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /(?<![0-9A-Z])([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}(?![0-9A-Z])/g;

/** Epoch time of the last ULID in a text, such as an id or a key; null: the text has no ULID. */
export function lastUlidTimeMs(text: string): number | null {
  const time = [...text.matchAll(ULID)].at(-1)?.[1];
  return time === undefined ? null : [...time].reduce((ms, letter) => ms * 32 + ALPHABET.indexOf(letter), 0);
}

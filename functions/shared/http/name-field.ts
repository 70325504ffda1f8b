import * as z from 'zod';

/** Spelt by number: `\p{…}` would be in the OpenAPI document, where not every language's patterns know it. */
const HIDDEN = [
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e',
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb',
].join('');
/** Blanks alone are not a name; those at the ends are not part of it. */
const VISIBLE = new RegExp(`^ *[^\\s${HIDDEN}][^${HIDDEN}]*$`);
/** Those beyond the basic plane, which patterns without a flag cannot name. */
const isHidden = (character: string) => character.length > 1 && /\p{Cf}/u.test(character);
const REFUSED = 'must hold no line breaks or other control characters';

/** A name that people see: with control characters it would not be what it looks like. */
export const nameField = (maxLength: number) =>
  z
    .string()
    .normalize('NFC')
    // Counted before trimming, as the OpenAPI document's `maxLength` says.
    .max(maxLength, `must have at most ${maxLength} characters`)
    .trim()
    .min(1, { error: 'must not be empty', abort: true })
    .regex(VISIBLE, REFUSED)
    .refine((name) => ![...name].some(isHidden), REFUSED);

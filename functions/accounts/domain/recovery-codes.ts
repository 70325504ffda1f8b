import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/** Codes in place of a lost authenticator app. Each has 80 bits, so that one SHA-256 is enough to store it by. */
const CODES = 10;
const CODE_BYTES = 10;
/** Crockford's: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newRecoveryCodes(random: RandomBytes): readonly string[] {
  return Array.from({ length: CODES }, () => grouped(base32(random(CODE_BYTES))));
}

/** Hash of a code in any spelling: with or without hyphens, in small letters. */
export function recoveryHash(code: string): string {
  const plain = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return createHash('sha256').update(plain).digest('base64url');
}

function grouped(text: string): string {
  return text.match(/.{4}/g)!.join('-');
}

/** Five bits a character; the length of `bytes` is a multiple of 5. */
function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits
    .match(/.{5}/g)!
    .map((five) => ALPHABET[Number.parseInt(five, 2)])
    .join('');
}

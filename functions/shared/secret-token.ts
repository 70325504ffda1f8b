import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomBytes } from './ports/random-bytes.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 9;
const ID_LENGTH = 13;
const SECRET_BYTES = 18;
const SECRET_LENGTH = 25;
const CHECKSUM_LENGTH = 6;

export interface NewToken {
  readonly id: string;
  /** Shown once and never stored. */
  readonly text: string;
}

/** One kind of token, recognised by its prefix. */
export interface TokenFormat {
  create(random: RandomBytes): NewToken;
  /** Recognises a token of this kind, valid or not. */
  matches(text: string): boolean;
  /** Of whole tokens, as a regular expression. */
  readonly pattern: string;
  /** @returns null for a text that is not a token of this kind, or is mistyped. */
  idOf(text: string): string | null;
  /** Recognises texts that have the form of a token's id. */
  isId(text: string): boolean;
  /** The part of a token that is listed; it is not a secret. */
  prefixOf(id: string): string;
}

/**
 * A token reads prefix + id (13) + secret (25, 144 bits) + checksum (6), all base62. The fixed prefix and the checksum
 * let secret scanners recognise one, and allow a mistyped one to be refused without a look-up. The id is not a secret.
 */
export function tokenFormat(prefix: string): TokenFormat {
  const id = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`);
  const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
  return {
    create(random) {
      const id = base62(random(ID_BYTES), ID_LENGTH);
      const body = prefix + id + base62(random(SECRET_BYTES), SECRET_LENGTH);
      return { id, text: body + checksum(body) };
    },
    pattern: shape.source,
    matches: (text) => text.startsWith(prefix),
    idOf(text) {
      if (!shape.test(text)) return null;
      const body = text.slice(0, -CHECKSUM_LENGTH);
      if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
      return text.slice(prefix.length, prefix.length + ID_LENGTH);
    },
    isId: (text) => id.test(text),
    prefixOf: (id) => prefix + id,
  };
}

/** A token has the entropy that a password lacks: one SHA-256 is enough, and quick. */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares in constant time. */
export function isHashOf(hash: string, text: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  const actual = Buffer.from(hashToken(text), 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function checksum(body: string): string {
  return base62(uint32Bytes(crc32(body)), CHECKSUM_LENGTH);
}

function uint32Bytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function base62(bytes: Uint8Array, length: number): string {
  let rest = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  while (text.length < length) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}

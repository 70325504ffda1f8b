import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

const PREFIX = 'tpk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 9;
const ID_LENGTH = 13;
const SECRET_BYTES = 18;
const SECRET_LENGTH = 25;
const CHECKSUM_LENGTH = 6;
const ID = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`);
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * An API key reads `tpk_` + id (13) + secret (25, 144 bits) + checksum (6), all base62. The fixed prefix and the checksum
 * let secret scanners recognise one, and allow a mistyped one to be refused without a look-up. The id is no secret.
 */
export interface NewApiKey {
  readonly id: string;
  /** Shown to the owner once and never stored. */
  readonly text: string;
}

export function newApiKey(random: RandomBytes): NewApiKey {
  const id = base62(random(ID_BYTES), ID_LENGTH);
  const body = PREFIX + id + base62(random(SECRET_BYTES), SECRET_LENGTH);
  return { id, text: body + checksum(body) };
}

/** Tells a key, valid or not, from other credentials. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** @returns the key's id; null for a text that is no key of this service, or is mistyped. */
export function apiKeyId(text: string): string | null {
  if (!SHAPE.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return text.slice(PREFIX.length, PREFIX.length + ID_LENGTH);
}

/** Tells what can be the id of a key from other texts. */
export function isApiKeyId(text: string): boolean {
  return ID.test(text);
}

/** The part of a key that is listed; it is no secret. */
export function apiKeyPrefix(id: string): string {
  return PREFIX + id;
}

/** A key has the entropy that a password lacks: one SHA-256 is enough, and quick. */
export function hashApiKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares in constant time. */
export function isHashOf(hash: string, text: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  const actual = Buffer.from(hashApiKey(text), 'hex');
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

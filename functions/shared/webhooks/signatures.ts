import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** A signed request is refused when its timestamp is further away than this, in the past or in the future. */
export const TOLERANCE_SECONDS = 5 * 60;

export function hmacSha256(key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Compares in a time that depends on neither text: their hashes are of one length. */
export function isSameText(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/** Whether one of the keys makes the text that was sent. All are tried: which one fits does not show in the time. */
export function isSignedByOneOf<Key>(keys: readonly Key[], sent: string, sign: (key: Key) => string): boolean {
  return keys.map((key) => isSameText(sent, sign(key))).includes(true);
}

/** @param timestamp in Unix seconds, as a header carries it. */
export function isTimely(timestamp: string | undefined, nowMs: number): timestamp is string {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

const ED25519_KEY = /^[0-9a-f]{64}$/i;
const ED25519_SIGNATURE = /^[0-9a-f]{128}$/i;

export function isEd25519Key(hex: string): boolean {
  return ED25519_KEY.test(hex);
}

/** @param keyHex @param signatureHex raw, in hexadecimal digits. */
export function isEd25519Signature(keyHex: string, signatureHex: string, data: Uint8Array): boolean {
  if (!ED25519_KEY.test(keyHex) || !ED25519_SIGNATURE.test(signatureHex)) return false;
  try {
    const x = Buffer.from(keyHex, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, data, key, Buffer.from(signatureHex, 'hex'));
  } catch {
    // A key that is not a point of the curve.
    return false;
  }
}

import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/** A key that access tokens are signed with: Ed25519, made from the text of a secret. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly published: PublishedKey;
}

/** The public half of a signing key, as `/.well-known/jwks.json` shows it. */
export interface PublishedKey {
  /** Thumbprint of the key by RFC 7638. */
  readonly kid: string;
  /** The public key, base64url. */
  readonly x: string;
}

/** The secret that the signing key is made from. */
export interface SigningSecret {
  read(): Promise<string>;
  /** Takes effect for all who read it from now on. */
  replace(text: string): Promise<void>;
}

/** Keys that tokens are accepted of, the one that signs first. */
export interface PublishedKeys {
  published(): Promise<readonly PublishedKey[]>;
  /** Stores the list on the condition that it is still `before`. @returns false when it is not. */
  replace(before: readonly PublishedKey[], after: readonly PublishedKey[]): Promise<boolean>;
}

/** PKCS #8 around the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SECRET_BYTES = 48;
const MAX_ATTEMPTS = 5;

/** The same key for the same text, so that any random text that a vault makes will do. */
export function signingKeyOf(secret: string): SigningKey {
  const seed = createHash('sha256').update('tripod signing key\0').update(secret).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as { x: string };
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  return { privateKey, published: { kid: thumbprint.digest('base64url'), x } };
}

export function newSigningSecret(random: RandomBytes): string {
  return Buffer.from(random(SECRET_BYTES)).toString('base64url');
}

/** Publishes a key before it signs for the first time. */
export async function ensurePublished(key: PublishedKey, keys: PublishedKeys): Promise<void> {
  await changePublished(keys, (before) => (before.some(({ kid }) => kid === key.kid) ? before : [key, ...before]));
}

export interface RotationPorts {
  readonly secret: SigningSecret;
  readonly keys: PublishedKeys;
  readonly random: RandomBytes;
}

/**
 * Replaces the signing key. The former one stays valid until the next rotation, so that its tokens live to their end; the
 * one before it is dropped. The new key is published before anything is signed with it, and a rotation that was cut short
 * between the two is completed by the next one.
 */
export async function rotateSigningKey({ secret, keys, random }: RotationPorts): Promise<PublishedKey> {
  const former = signingKeyOf(await secret.read()).published;
  const text = newSigningSecret(random);
  const next = signingKeyOf(text).published;
  await changePublished(keys, () => [next, former]);
  await secret.replace(text);
  return next;
}

async function changePublished(
  keys: PublishedKeys,
  change: (before: readonly PublishedKey[]) => readonly PublishedKey[],
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const before = await keys.published();
    const after = change(before);
    if (after === before || (await keys.replace(before, after))) return;
  }
  throw new Error('The published signing keys were changed by others again and again.');
}

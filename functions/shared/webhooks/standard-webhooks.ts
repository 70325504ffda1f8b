import { hmacSha256, isSameText, isTimely } from './signatures.ts';

/** Headers of Standard Webhooks, version 1. */
export interface WebhookHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MIN_KEY_BYTES = 16;
/** More signatures than any rotation needs are not an honest request. */
const MAX_SIGNATURES = 10;

/** @returns null for a secret that is not `whsec_` and base64 of at least 16 bytes. */
export function webhookKey(secret: string): Buffer | null {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!BASE64.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length < MIN_KEY_BYTES ? null : key;
}

/** Signs with every secret: while one is being rotated, receivers know the old one or the new one. */
export function signWebhook(
  { id, timestampSeconds, body }: { readonly id: string; readonly timestampSeconds: number; readonly body: string },
  secrets: readonly string[],
): WebhookHeaders {
  const timestamp = String(timestampSeconds);
  const signatures = secrets.map((secret) => signature(keyOf(secret), id, timestamp, body));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export function isSignedWebhook(...signed: Parameters<typeof webhookFault>): boolean {
  return webhookFault(...signed) === null;
}

/** The part of a webhook's proof that is missing or wrong; null where it is signed. */
export function webhookFault(
  headers: Readonly<Partial<Record<string, string>>>,
  body: Uint8Array,
  secrets: readonly string[],
  nowMs: number,
): 'header' | 'time' | 'signature' | null {
  // Svix, where the standard comes from, writes its own name in them.
  const id = headers['webhook-id'] ?? headers['svix-id'];
  const timestamp = headers['webhook-timestamp'] ?? headers['svix-timestamp'];
  const sent = headers['webhook-signature'] ?? headers['svix-signature'];
  if (!id || !sent || !timestamp) return 'header';
  if (!isTimely(timestamp, nowMs)) return 'time';
  const expected = secrets.map((secret) => signature(keyOf(secret), id, timestamp, body));
  const candidates = sent.split(' ').slice(0, MAX_SIGNATURES);
  const isRight = expected.flatMap((own) => candidates.map((candidate) => isSameText(candidate, own))).includes(true);
  return isRight ? null : 'signature';
}

function signature(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): string {
  return `v1,${hmacSha256(key, `${id}.${timestamp}.`, body).toString('base64')}`;
}

function keyOf(secret: string): Buffer {
  const key = webhookKey(secret);
  if (key === null) throw new Error('A stored webhook secret is not of the form whsec_<base64>.');
  return key;
}

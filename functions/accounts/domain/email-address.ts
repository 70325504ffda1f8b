import { normalEmail } from './user.ts';

/** Longest address that a mail can be sent to (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

/** One @; no blank, control character, quote, bracket or separator of headers on either side, a dot on the right. */
const NOT_IN_EMAIL = '\\s\\p{C}@<>()\\[\\]\\\\,;:"';
export const EMAIL = new RegExp(`^[^${NOT_IN_EMAIL}]{1,64}@[^${NOT_IN_EMAIL}.]+(?:\\.[^${NOT_IN_EMAIL}.]+)+$`, 'u');

/** Returns the address in its normal form; null for any other value. */
export function emailAddressOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const address = normalEmail(value);
  return address.length <= MAX_EMAIL_LENGTH && EMAIL.test(address) ? address : null;
}

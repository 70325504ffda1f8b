import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiKeyId, apiKeyPrefix, hashApiKey, isHashOf, newApiKey } from '../../../functions/accounts/domain/api-key.ts';

describe('an API key', () => {
  it('can be recognised by a secret scanner: tpk_ and 44 base62 characters', () => {
    for (let i = 0; i < 50; i++) expect(newApiKey(randomBytes).text).toMatch(/^tpk_[0-9A-Za-z]{44}$/);
  });

  it('carries its id', () => {
    const key = newApiKey(randomBytes);
    expect(apiKeyId(key.text)).toBe(key.id);
    expect(key.text.startsWith(apiKeyPrefix(key.id))).toBe(true);
  });

  it('has all its randomness in its text: bytes that differ in one bit give another key', () => {
    const zeros = newApiKey((count) => new Uint8Array(count));
    for (let bit = 0; bit < 144; bit++) {
      let drawn = 0;
      const flipped = newApiKey((count) => {
        const bytes = new Uint8Array(count);
        if (drawn++ === 1) bytes[bit >> 3]! |= 1 << (bit & 7);
        return bytes;
      });
      expect(flipped.id).toBe(zeros.id);
      expect(flipped.text).not.toBe(zeros.text);
    }
  });

  it('is refused without a look-up when any one character is wrong', () => {
    const { text } = newApiKey(randomBytes);
    const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    fc.assert(
      fc.property(fc.integer({ min: 4, max: text.length - 1 }), fc.constantFrom(...alphabet), (at, character) => {
        fc.pre(text[at] !== character);
        expect(apiKeyId(text.slice(0, at) + character + text.slice(at + 1))).toBeNull();
      }),
    );
  });

  it.each(['', 'tpk_', 'sk_live_123', `tpk_${'0'.repeat(44)}`, ' ', 'tpk_é'])('is not %j', (text) => {
    expect(apiKeyId(text)).toBeNull();
  });

  it('is known again by its hash alone', () => {
    const { text } = newApiKey(randomBytes);
    expect(isHashOf(hashApiKey(text), text)).toBe(true);
    expect(isHashOf(hashApiKey(text), newApiKey(randomBytes).text)).toBe(false);
    expect(isHashOf('', text)).toBe(false);
  });
});

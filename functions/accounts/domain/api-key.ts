import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import { hashToken, isHashOf, type NewToken, tokenFormat } from '../../shared/secret-token.ts';

const apiKeys = tokenFormat('tpk_');

/** The id is not a secret; the text is shown to the owner once and never stored. */
export type NewApiKey = NewToken;

export function newApiKey(random: RandomBytes): NewApiKey {
  return apiKeys.create(random);
}

/** Recognises a key, valid or not. */
export function looksLikeApiKey(text: string): boolean {
  return apiKeys.matches(text);
}

/** @returns the key's id; null for a text that is not a key of this service, or is mistyped. */
export function apiKeyId(text: string): string | null {
  return apiKeys.idOf(text);
}

/** Recognises texts that have the form of a key's id. */
export function isApiKeyId(text: string): boolean {
  return apiKeys.isId(text);
}

/** The part of a key that is listed; it is not a secret. */
export function apiKeyPrefix(id: string): string {
  return apiKeys.prefixOf(id);
}

export { hashToken as hashApiKey, isHashOf };

import type { HttpRequest } from '../shared/http/api-request.ts';
import { type Authenticator, bearerToken } from '../shared/http/authenticate.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { apiKeyId, hashApiKey, looksLikeApiKey } from './domain/api-key.ts';
import { type ApiKeyRecord, type ApiKeys, actsAsOwner, authenticate, isUseDue } from './domain/authenticate.ts';

/** API keys: in the header `x-api-key`, or as a bearer token, which is all that OpenAI's clients can send. */
export function apiKeyAuthenticator(keys: ApiKeys, clock: Clock): Authenticator {
  const valid = new RecentTexts();
  return {
    find: apiKeyFrom,
    known: (text) => (valid.has(text) ? { kind: 'key', id: apiKeyId(text) as string } : null),
    async verify(text, request) {
      const record = await authenticate(text, keys, clock.now());
      valid.note(text, record !== null);
      if (record === null) return null;
      request.background(recordUse(record, keys, clock));
      const { id, workspaceId, scopes, awaitsConfirmation } = record;
      const role = actsAsOwner(record) ? 'owner' : 'admin';
      return { kind: 'key', id, workspaceId, scopes, role, ...(awaitsConfirmation && { awaitsConfirmation }) };
    },
  };
}

/** Keys that were valid at their last use in this process, by their hashes. */
class RecentTexts {
  readonly #hashes = new Set<string>();

  has(text: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashApiKey(text));
  }

  note(text: string, isValid: boolean): void {
    const hash = hashApiKey(text);
    this.#hashes.delete(hash);
    if (!isValid) return;
    this.#hashes.add(hash);
    if (this.#hashes.size <= MAX_RECENT) return;
    const [oldest] = this.#hashes;
    this.#hashes.delete(oldest as string);
  }
}

const MAX_RECENT = 1_000;

/** A bearer token that does not look like a key is some other credential, good or bad. */
export function apiKeyFrom(request: Pick<HttpRequest, 'headers'>): ReturnType<Authenticator['find']> {
  const bearer = bearerToken(request);
  if (bearer !== null && looksLikeApiKey(bearer)) return { rank: 'bearer', text: bearer };
  const text = request.headers['x-api-key']?.trim();
  return text ? { rank: 'header', text } : null;
}

async function recordUse(record: ApiKeyRecord, keys: ApiKeys, clock: Clock): Promise<void> {
  const nowMs = clock.now();
  if (isUseDue(record, nowMs)) await keys.recordUse(record.id, new Date(nowMs).toISOString());
}

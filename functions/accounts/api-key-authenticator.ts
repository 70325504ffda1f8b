import type { HttpRequest } from '../shared/http/api-request.ts';
import { type Authenticator, bearerToken } from '../shared/http/authenticate.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { apiKeyId, hashApiKey, looksLikeApiKey } from './domain/api-key.ts';
import { type ApiKeyRecord, type ApiKeys, actsAsOwner, authenticate, isUseDue } from './domain/authenticate.ts';

/** API keys: in the header `x-api-key`, or as a bearer token, which is all that OpenAI's clients can send. */
export function apiKeyAuthenticator(keys: ApiKeys, clock: Clock): Authenticator {
  const valid = new RecentWorkspaces();
  return {
    find: apiKeyFrom,
    known(text) {
      const workspaceId = valid.get(text);
      return workspaceId === null ? null : { kind: 'key', id: apiKeyId(text) as string, workspaceId };
    },
    async verify(text, request) {
      const record = await authenticate(text, keys, clock.now());
      valid.note(text, record?.workspaceId ?? null);
      if (record === null) return null;
      request.background(recordUse(record, keys, clock));
      const { id, workspaceId, scopes, awaitsConfirmation } = record;
      const role = actsAsOwner(record) ? 'owner' : 'admin';
      return { kind: 'key', id, workspaceId, scopes, role, ...(awaitsConfirmation && { awaitsConfirmation }) };
    },
  };
}

/** Workspaces of the keys that were valid at their last use in this process, by the hashes of the keys. */
class RecentWorkspaces {
  readonly #byHash = new Map<string, string>();

  get(text: string): string | null {
    return this.#byHash.size === 0 ? null : (this.#byHash.get(hashApiKey(text)) ?? null);
  }

  note(text: string, workspaceId: string | null): void {
    const hash = hashApiKey(text);
    this.#byHash.delete(hash);
    if (workspaceId === null) return;
    this.#byHash.set(hash, workspaceId);
    if (this.#byHash.size <= MAX_RECENT) return;
    const [oldest] = this.#byHash.keys();
    this.#byHash.delete(oldest as string);
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

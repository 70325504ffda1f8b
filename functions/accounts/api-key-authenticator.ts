import type { HttpRequest } from '../shared/http/api-request.ts';
import { type Authenticator, bearerToken } from '../shared/http/authenticate.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { looksLikeApiKey } from './domain/api-key.ts';
import { type ApiKeyRecord, type ApiKeys, actsAsOwner, authenticate, isUseDue } from './domain/authenticate.ts';

/** API keys: in the header `x-api-key`, or as a bearer token, which is all that OpenAI's clients can send. */
export function apiKeyAuthenticator(keys: ApiKeys, clock: Clock): Authenticator {
  return {
    find: apiKeyFrom,
    async verify(text, request) {
      const record = await authenticate(text, keys, clock.now());
      if (record === null) return null;
      request.background(recordUse(record, keys, clock));
      const { id, workspaceId, scopes } = record;
      return { kind: 'key', id, workspaceId, scopes, role: actsAsOwner(record) ? 'owner' : 'admin' };
    },
  };
}

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

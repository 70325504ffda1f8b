import {
  type ApiKeyRecord,
  type ApiKeys,
  actsAsOwner,
  authenticate,
  isUseDue,
} from '../../accounts/domain/authenticate.ts';
import type { Clock } from '../ports/clock.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';

/** The key of a request: `x-api-key`, or a bearer token, which is what OpenAI's clients send. */
export function presentedKey(headers: Readonly<Record<string, string>>): string | null {
  const key = headers['x-api-key'] ?? /^Bearer +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  return key?.trim() || null;
}

/** @throws Problem 401 that is the same whatever is wrong with the key, 403 when it lacks the route's scope or role. */
export async function admit(
  headers: Readonly<Record<string, string>>,
  { scope, role }: Pick<Route, 'scope' | 'role'>,
  keys: ApiKeys,
): Promise<ApiKeyRecord> {
  const text = presentedKey(headers);
  const record = text === null ? null : await authenticate(text, keys);
  if (record === null)
    throw new Problem(
      401,
      'invalid_key',
      'The API key is missing or invalid. Send a key of your workspace in the header x-api-key.',
      { headers: { 'www-authenticate': 'Bearer realm="tripod"' } },
    );
  if (scope !== undefined && !record.scopes.includes(scope))
    throw new Problem(403, 'forbidden', `The API key lacks the scope "${scope}". Use a key that has it.`, {
      details: { scope },
    });
  if (role === 'owner' && !actsAsOwner(record))
    throw new Problem(
      403,
      'forbidden',
      'The API key is narrowed to some services, and this is for the owner of the workspace. Use a key that has every scope.',
      { details: { role } },
    );
  return record;
}

/** Notes the time of use when it is due. Runs beside the request; a failure must not cost the caller the answer. */
export async function noteUse(record: ApiKeyRecord, keys: ApiKeys, clock: Clock): Promise<void> {
  const nowMs = clock.now();
  if (isUseDue(record, nowMs)) await keys.recordUse(record.id, new Date(nowMs).toISOString());
}

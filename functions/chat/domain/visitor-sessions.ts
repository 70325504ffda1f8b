import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/**
 * Sessions of visitors with a public token. All visitors share the token, so that only the session id identifies a visitor: the service
 * issues it, unguessable and signed with a key of its token, so that no page can choose one.
 */

/** Sent in place of an id by a visitor who has none yet. */
export const NEW_SESSION = 'new';

export interface VisitorSession {
  /** Names the history. No credential: it may be stored, listed and shown. */
  readonly sessionId: string;
  /** The id that the visitor sends. Its holder can read the history. */
  readonly text: string;
}

const PREFIX = 'vs_';
const ID_BYTES = 16;
const ID_LENGTH = 22;
const SIGNATURE_LENGTH = 32;
const SHAPE = new RegExp(`^${PREFIX}[\\w-]{${ID_LENGTH + SIGNATURE_LENGTH}}$`);

/** @param key of the token. */
export function newVisitorSession(key: string, random: RandomBytes): VisitorSession {
  const sessionId = PREFIX + Buffer.from(random(ID_BYTES)).toString('base64url');
  return { sessionId, text: sessionId + signature(key, sessionId) };
}

/** @returns null for a text that was not issued for this key. */
export function visitorSession(key: string, text: string): VisitorSession | null {
  if (!SHAPE.test(text)) return null;
  const sessionId = text.slice(0, -SIGNATURE_LENGTH);
  const [sent, expected] = [text.slice(-SIGNATURE_LENGTH), signature(key, sessionId)];
  return timingSafeEqual(Buffer.from(sent), Buffer.from(expected)) ? { sessionId, text } : null;
}

function signature(key: string, sessionId: string): string {
  return createHmac('sha256', key).update(sessionId).digest('base64url').slice(0, SIGNATURE_LENGTH);
}

import type { Clock } from '../../shared/ports/clock.ts';
import { AuthRefused } from './auth-refused.ts';
import { isSessionOf, type Session, type Sessions } from './session.ts';
import type { User, Users } from './user.ts';

export interface OwnSessionPorts {
  readonly sessions: Pick<Sessions, 'find' | 'ofUser' | 'end'>;
  readonly users: Pick<Users, 'find'>;
  readonly clock: Clock;
}

/** Sessions of a user that can still be used, newest first. */
export async function ownSessions(userId: string, { sessions, users, clock }: OwnSessionPorts): Promise<Session[]> {
  const [user, found] = await Promise.all([users.find(userId), sessions.ofUser(userId)]);
  const nowMs = clock.now();
  const live = user === null ? [] : found.filter((session) => isLive(session, user, nowMs));
  return live.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** Ends one of a user's own sessions: its tokens and its cookie are refused from the next request on. @throws AuthRefused */
export async function endOwnSession(userId: string, sessionId: string, ports: OwnSessionPorts): Promise<void> {
  const session = await ports.sessions.find(sessionId);
  if (session === null || session.userId !== userId)
    throw new AuthRefused('session_not_found', 'You have no such session, or it has ended already.');
  await ports.sessions.end(sessionId);
}

/** When a session ends unless it is refreshed, as epoch time. */
export function sessionEndMs({ refreshExpiresAtMs, cookieExpiresAtMs }: Session): number {
  return Math.max(refreshExpiresAtMs, cookieExpiresAtMs);
}

function isLive(session: Session, user: User, nowMs: number): boolean {
  return isSessionOf(session, user) && sessionEndMs(session) > nowMs;
}

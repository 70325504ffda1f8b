import type { Clock } from '../../shared/ports/clock.ts';
import type { Execution, ExecutionId } from './execution.ts';
import type { Executions, SessionId, Sessions } from './execution-ports.ts';
import type { KeptSessions } from './sandbox-pool.ts';

export interface SessionPage {
  /** Newest first. */
  readonly executions: readonly Execution[];
  /** Opaque to clients; null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of a session. Executions that are added between two pages move nothing: none comes twice or is left out. */
export async function sessionPage(
  session: SessionId,
  { limit, before }: { readonly limit: number; readonly before: string | null },
  sessions: Pick<Sessions, 'executions'>,
): Promise<SessionPage> {
  // One more than requested shows whether there is another page, and keeps the last page from being empty.
  const executions = await sessions.executions(session, limit + 1, before);
  const page = executions.slice(0, limit);
  const last = page.at(-1);
  return { executions: page, nextCursor: executions.length > limit && last ? last.executionId : null };
}

/** The form of `nextCursor`: the id of an execution. */
export const CURSOR = /^exec_[0-9A-Z]{26}$/;

export interface RemoveSessionPorts {
  readonly sessions: Sessions;
  readonly executions: Pick<Executions, 'remove'>;
  readonly kept: KeptSessions;
  readonly clock: Clock;
}

/** Removals at the same time. */
const CONCURRENCY = 20;

/**
 * Ends the interpreters that are kept for a session, and removes all its executions with their programs and outputs; running ones end
 * within about a second.
 * @param untilMs epoch time at which it stops even if unfinished; another call continues.
 * @returns whether the session had executions, and whether all are gone.
 */
export async function removeSession(
  session: SessionId,
  untilMs: number,
  { sessions, executions, kept, clock }: RemoveSessionPorts,
): Promise<'none' | 'removed' | 'unfinished'> {
  const { workspaceId, sessionId } = session;
  // First: what it runs is ended, and not only unwanted.
  const wasKept = await kept.endSessions(workspaceId, sessionId);
  let outcome: 'none' | 'removed' = wasKept ? 'removed' : 'none';
  let batch: ExecutionId[] = [];
  const removeBatch = () => Promise.all(batch.map(async (id) => executions.remove({ ...id, sessionId })));
  for await (const id of sessions.executionIds(session)) {
    outcome = 'removed';
    batch.push(id);
    if (batch.length < CONCURRENCY) continue;
    await removeBatch();
    batch = [];
    if (clock.now() >= untilMs) return 'unfinished';
  }
  await removeBatch();
  return outcome;
}

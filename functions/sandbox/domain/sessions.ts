import type { Clock } from '../../shared/ports/clock.ts';
import type { Execution, ExecutionId } from './execution.ts';
import type { Executions, SessionId, Sessions } from './execution-ports.ts';

export interface SessionPage {
  /** Newest first. */
  readonly executions: readonly Execution[];
  /** Opaque to callers; null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of a session. What is added between two pages moves nothing: no execution comes twice or is left out. */
export async function sessionPage(
  session: SessionId,
  { limit, before }: { readonly limit: number; readonly before: string | null },
  sessions: Pick<Sessions, 'executions'>,
): Promise<SessionPage> {
  // One more than asked for: whether there is another page is known, and none is empty.
  const executions = await sessions.executions(session, limit + 1, before);
  const page = executions.slice(0, limit);
  const last = page.at(-1);
  return { executions: page, nextCursor: executions.length > limit && last ? last.executionId : null };
}

/** What `nextCursor` can be: the id of an execution. */
export const CURSOR = /^exec_[0-9A-Z]{26}$/;

/** So many are removed at the same time. */
const AT_A_TIME = 20;

/**
 * Removes every execution of a session with its program and output; those under way end within about a second.
 * @param untilMs epoch time at which it stops, done or not: who calls again goes on.
 * @returns whether there was any, and whether all are gone.
 */
export async function removeSession(
  session: SessionId,
  untilMs: number,
  { sessions, executions, clock }: { sessions: Sessions; executions: Executions; clock: Clock },
): Promise<'none' | 'removed' | 'unfinished'> {
  const { sessionId } = session;
  let outcome: 'none' | 'removed' = 'none';
  let some: ExecutionId[] = [];
  const removeThem = () => Promise.all(some.map(async (id) => executions.remove({ ...id, sessionId })));
  for await (const id of sessions.executionIds(session)) {
    outcome = 'removed';
    some.push(id);
    if (some.length < AT_A_TIME) continue;
    await removeThem();
    some = [];
    if (clock.now() >= untilMs) return 'unfinished';
  }
  await removeThem();
  return outcome;
}

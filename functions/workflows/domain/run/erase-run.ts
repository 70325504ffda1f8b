import { cancelRun, type DecidePorts, noSuchRun } from './decide-run.ts';
import type { Pause } from './drive-ports.ts';
import { hasEnded, type RunId, type RunTrigger } from './run.ts';
import type { Runs } from './run-ports.ts';
import { RunRefused } from './run-refused.ts';

/** A session of an application; that of a workflow which is called by its own id has the application ''. */
export interface RunSession extends Pick<RunTrigger, 'caller'> {
  readonly workspaceId: string;
  readonly applicationId: string;
  readonly sessionId: string;
}

/** The erasure of runs, with the lists by which they are found. */
export interface RunErasures {
  /** The runs that were started within a run, at any depth. */
  within(root: RunId): AsyncIterable<RunId>;
  /** The runs that messages of a session started, and those within them. */
  ofSession(session: RunSession): AsyncIterable<RunId>;
  /**
   * Erases a run with its record. A function that still works on the run stores nothing more.
   * Repeating it does no harm, and erases what a crash has left.
   */
  erase(id: RunId): Promise<void>;
}

export interface EraseRunPorts {
  readonly runs: Pick<Runs, 'find'>;
  readonly erasures: RunErasures;
}

/** Erases an ended run, and those within it. @throws RunRefused */
export async function eraseRun(id: RunId, { runs, erasures }: EraseRunPorts): Promise<void> {
  const head = await runs.find(id);
  if (head === null) throw noSuchRun();
  if (!hasEnded(head))
    throw new RunRefused(
      'not_ended',
      'The run has not ended. Cancel it by DELETE without erase, and erase it once it has ended.',
    );
  for await (const inner of erasures.within(id)) await erasures.erase(inner);
  await erasures.erase(id);
}

/** The time in which cancelled runs end, and count what they have used. */
const ENDING_MS = 4_000;
const POLL_INTERVAL_MS = 250;

export interface EraseSessionPorts extends DecidePorts {
  readonly erasures: RunErasures;
  readonly pause: Pause;
}

/**
 * Erases runs of a session. Those under way are cancelled, and after a few seconds erased before their end.
 * @param isOf of a message, by its turn; null: all of the session
 */
export async function eraseRunsOf(
  session: RunSession,
  isOf: ((turnId: string) => Promise<boolean>) | null,
  ports: EraseSessionPorts,
): Promise<void> {
  const { erasures, clock, pause } = ports;
  const ids: RunId[] = [];
  for await (const id of erasures.ofSession(session))
    if (isOf === null || (await isRunOf(id, isOf, ports))) ids.push(id);
  const untilMs = clock.now() + ENDING_MS;
  const { signal } = new AbortController();
  let open = ids;
  for (let isFirst = true; ; isFirst = false) {
    open = await unended(open, ports);
    if (isFirst) for (const id of open) await cancelled(id, ports);
    if (open.length === 0 || clock.now() >= untilMs) break;
    await pause.wait(POLL_INTERVAL_MS, signal);
  }
  for (const id of ids) await erasures.erase(id);
}

async function isRunOf(
  id: RunId,
  isOf: (turnId: string) => Promise<boolean>,
  { runs }: Pick<EraseRunPorts, 'runs'>,
): Promise<boolean> {
  const turnId = (await runs.find(id))?.trigger.conversation?.turnId;
  return turnId !== undefined && isOf(turnId);
}

async function unended(ids: readonly RunId[], { runs }: Pick<EraseRunPorts, 'runs'>): Promise<RunId[]> {
  const heads = await Promise.all(ids.map((id) => runs.find(id)));
  return ids.filter((_, index) => {
    const head = heads[index];
    return head !== null && head !== undefined && !hasEnded(head);
  });
}

async function cancelled(id: RunId, ports: DecidePorts): Promise<void> {
  await cancelRun(id, 'erasure', ports).catch((error: unknown) => {
    // It has ended before.
    if (!(error instanceof RunRefused)) throw error;
  });
}

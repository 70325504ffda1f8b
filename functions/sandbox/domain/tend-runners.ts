import type { Clock } from '../../shared/ports/clock.ts';
import type { Runner } from './runner-ports.ts';

/** What is known of a runner's task beside the runner. */
export interface KnownRunner extends Runner {
  /** Epoch milliseconds of its first program; null as long as it is nobody's. */
  readonly takenAtMs: number | null;
  /** Since when nobody is sent to it any more, because it has retired or did not answer. */
  readonly overAtMs: number | null;
  /** Of the last news of its task; older news says nothing. */
  readonly version: number;
}

/** A runner's task, as it is started and ended by a service that keeps a number of them running. */
export interface RunnerTask {
  readonly id: string;
  /** Null while it has no address. */
  readonly url: string | null;
  /** Rises with every change. */
  readonly version: number;
  /** 'up': it runs and answers. 'gone': it ends or has ended. */
  readonly state: 'starting' | 'up' | 'gone';
}

/** The registry as those see it who keep it. */
export interface RunnerBook {
  /** All runners that are up, as far as is known. */
  all(): Promise<readonly KnownRunner[]>;
  /** News of a task; what is older than what is known is ignored. */
  noteTask(task: RunnerTask): Promise<void>;
}

export interface RunnerService {
  /** How many are to run. */
  wanted(): Promise<number>;
  want(count: number): Promise<void>;
  /** All tasks of the service, and what has become of those named. */
  tasks(ids: readonly string[]): Promise<readonly RunnerTask[]>;
  /** Ends a task; the service starts another one. */
  stop(id: string, why: string): Promise<void>;
  /** Keeps tasks, for so long, from being chosen when fewer are wanted. */
  protect(ids: readonly string[], minutes: number): Promise<void>;
}

export interface TendPorts {
  readonly book: RunnerBook;
  readonly service: RunnerService;
  readonly clock: Clock;
}

export interface PoolSize {
  /** Runners that are nobody's and wait for work. */
  readonly floor: number;
  /** Runners in all. */
  readonly most: number;
}

export interface Tended {
  readonly wanted: number;
  /** Nobody's, up and waiting. */
  readonly free: number;
  readonly stopped: readonly string[];
}

const MINUTE_MS = 60_000;
/** A runner ends by itself 10 minutes after its first program, once the one under way (5 minutes) has ended. */
const LONGEST_LIFE_MS = 20 * MINUTE_MS;
/** Time for the program under way, and to end after it. */
const LONGEST_END_MS = 7 * MINUTE_MS;
const PROTECTED_MINUTES = 20;

/**
 * Keeps registry and pool in order: what events did not tell is looked up, runners that should have ended are ended, and as
 * many run as are in use and a floor of free ones. It grows at once and shrinks by one a time.
 */
export async function tendRunners({ book, service, clock }: TendPorts, { floor, most }: PoolSize): Promise<Tended> {
  const nowMs = clock.now();
  // In this order: what is known and then not found has ended.
  const known = await book.all();
  const tasks = await service.tasks(known.map(({ id }) => id));
  const current = await service.wanted();

  const versions = new Map(known.map(({ id, version }) => [id, version]));
  const news = tasks.filter(({ id, state, version }) => {
    const knownVersion = versions.get(id);
    return knownVersion === undefined ? state === 'up' : state === 'gone' || version > knownVersion;
  });
  await Promise.all(news.map((task) => book.noteTask(task)));

  const up = new Set(tasks.filter(({ state }) => state === 'up').map(({ id }) => id));
  const running = known.filter(({ id }) => up.has(id));
  const inUse = running.filter(({ workspaceId }) => workspaceId !== null);
  const stopped: string[] = [];
  for (const { id, takenAtMs, overAtMs } of running) {
    const why =
      overAtMs !== null && nowMs - overAtMs > LONGEST_END_MS
        ? 'It does not answer, or has not ended after its last program.'
        : takenAtMs !== null && nowMs - takenAtMs > LONGEST_LIFE_MS
          ? 'It should have ended by itself.'
          : null;
    if (why === null) continue;
    await service.stop(id, why);
    stopped.push(id);
  }

  const wanted = Math.max(floor, Math.min(most, inUse.length + floor), Math.min(most, current - 1));
  if (wanted < current)
    await service.protect(
      inUse.map(({ id }) => id),
      PROTECTED_MINUTES,
    );
  if (wanted !== current) await service.want(wanted);
  const free = [...up].filter((id) => !known.some((runner) => runner.id === id && isTaken(runner))).length;
  return { wanted, free, stopped };
}

const isTaken = ({ workspaceId, overAtMs }: KnownRunner): boolean => workspaceId !== null || overAtMs !== null;

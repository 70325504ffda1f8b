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
 * Keeps registry and pool in order: what events did not tell is looked up, runners that should have ended are ended, and a
 * floor of free ones is kept beside those in use.
 */
export async function tendRunners(ports: TendPorts, size: PoolSize): Promise<Tended> {
  const { book, service, clock } = ports;
  // In this order: what is known and then not found has ended.
  const known = await book.all();
  const tasks = await service.tasks(known.map(({ id }) => id));
  await Promise.all(newsOf(tasks, known).map((task) => book.noteTask(task)));

  const up = new Set(tasks.filter(({ state }) => state === 'up').map(({ id }) => id));
  const running = known.filter(({ id }) => up.has(id));
  const stopped: string[] = [];
  for (const runner of running) {
    const why = whyToStop(runner, clock.now());
    if (why === null) continue;
    await service.stop(runner.id, why);
    stopped.push(runner.id);
  }
  const free = up.size - running.filter(isTaken).length;
  const inUse = running.filter(({ workspaceId }) => workspaceId !== null).map(({ id }) => id);
  const wanted = await resize({ free, inUse }, size, service);
  return { wanted, free, stopped };
}

const isTaken = ({ workspaceId, overAtMs }: KnownRunner): boolean => workspaceId !== null || overAtMs !== null;

function newsOf(tasks: readonly RunnerTask[], known: readonly KnownRunner[]): readonly RunnerTask[] {
  const versions = new Map(known.map(({ id, version }) => [id, version]));
  return tasks.filter(({ id, state, version }) => {
    const knownVersion = versions.get(id);
    return knownVersion === undefined ? state === 'up' : state === 'gone' || version > knownVersion;
  });
}

function whyToStop({ takenAtMs, overAtMs }: KnownRunner, nowMs: number): string | null {
  if (overAtMs !== null && nowMs - overAtMs > LONGEST_END_MS)
    return 'It does not answer, or has not ended after its last program.';
  if (takenAtMs !== null && nowMs - takenAtMs > LONGEST_LIFE_MS) return 'It should have ended by itself.';
  return null;
}

/**
 * Grows at once, and shrinks by one a time. Runners end and are replaced all the time, and those that are being started are
 * of no use yet: so it goes by the free ones that are there, and not by sums.
 */
async function resize(
  { free, inUse }: { readonly free: number; readonly inUse: readonly string[] },
  { floor, most }: PoolSize,
  service: RunnerService,
): Promise<number> {
  const current = await service.wanted();
  const byFree = free < floor ? current + floor - free : free > floor ? current - 1 : current;
  const wanted = Math.min(most, Math.max(byFree, inUse.length + floor));
  if (wanted < current && inUse.length > 0) await service.protect(inUse, PROTECTED_MINUTES);
  if (wanted !== current) await service.want(wanted);
  return wanted;
}

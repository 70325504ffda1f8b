import type { Clock } from '../../shared/ports/clock.ts';
import type { Runner } from './runner-ports.ts';

/** A runner with what the registry holds of its task. */
export interface KnownRunner extends Runner {
  /** Epoch milliseconds of its first program; null while it is unassigned. */
  readonly takenAtMs: number | null;
  /** The session that it keeps. */
  readonly session: string | null;
  /** Since when it gets no more programs, because it has retired or did not answer. */
  readonly drainingSinceMs: number | null;
  /** Version of the last recorded state of its task; older states are ignored. */
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

/** The registry's side of the tasks. */
export interface RunnerStore {
  /** All runners that are up, as far as is known. */
  all(): Promise<readonly KnownRunner[]>;
  /** Records the state of a task; one that is older than the recorded state is ignored. */
  recordTask(task: RunnerTask): Promise<void>;
}

/** The service that keeps a number of tasks running. */
export interface RunnerService {
  desiredCount(): Promise<number>;
  setDesiredCount(count: number): Promise<void>;
  /** All tasks of the service, and the state of those named. */
  tasks(ids: readonly string[]): Promise<readonly RunnerTask[]>;
  /** Ends a task; the service starts another one. */
  stop(id: string, reason: string): Promise<void>;
  /** Protects tasks, for so long, from being ended when the desired count falls. */
  protect(ids: readonly string[], minutes: number): Promise<void>;
}

export interface PoolPorts {
  readonly store: RunnerStore;
  readonly service: RunnerService;
  readonly clock: Clock;
}

export interface PoolSize {
  /** Unassigned runners that wait for work. */
  readonly minIdle: number;
  /** Runners in all. */
  readonly maxSize: number;
}

export interface ReconciledPool {
  readonly desired: number;
  /** Unassigned, up and waiting. */
  readonly idle: number;
  readonly stopped: readonly string[];
}

const MINUTE_MS = 60_000;
/** A runner ends by itself 10 minutes after its first program, once the one under way (5 minutes) has ended. */
const MAX_LIFETIME_MS = 20 * MINUTE_MS;
/** A kept session ends by itself an hour after its first call. */
const MAX_SESSION_MS = 70 * MINUTE_MS;
/** Time for the program under way, and to end after it. */
const MAX_DRAINING_MS = 7 * MINUTE_MS;
const PROTECTED_MINUTES = 20;

/**
 * Reconciles registry and pool: records the states whose events were lost, stops runners that should have ended, and keeps `minIdle` idle
 * ones in addition to those in use.
 */
export async function reconcilePool(ports: PoolPorts, size: PoolSize): Promise<ReconciledPool> {
  const { store, service, clock } = ports;
  // In this order: a runner that is known and then not found has ended.
  const known = await store.all();
  const tasks = await service.tasks(known.map(({ id }) => id));
  await Promise.all(unrecorded(tasks, known).map((task) => store.recordTask(task)));

  const up = new Set(tasks.filter(({ state }) => state === 'up').map(({ id }) => id));
  const running = known.filter(({ id }) => up.has(id));
  const stopped: string[] = [];
  for (const runner of running) {
    const reason = reasonToStop(runner, clock.now());
    if (reason === null) continue;
    await service.stop(runner.id, reason);
    stopped.push(runner.id);
  }
  const idle = up.size - running.filter((runner) => !isIdle(runner)).length;
  const inUse = running.filter(({ workspaceId }) => workspaceId !== null).map(({ id }) => id);
  const desired = await resize({ idle, inUse }, size, service);
  return { desired, idle, stopped };
}

const isIdle = ({ workspaceId, drainingSinceMs }: KnownRunner): boolean =>
  workspaceId === null && drainingSinceMs === null;

function unrecorded(tasks: readonly RunnerTask[], known: readonly KnownRunner[]): readonly RunnerTask[] {
  const versions = new Map(known.map(({ id, version }) => [id, version]));
  return tasks.filter(({ id, state, version }) => {
    const knownVersion = versions.get(id);
    return knownVersion === undefined ? state === 'up' : state === 'gone' || version > knownVersion;
  });
}

function reasonToStop({ takenAtMs, drainingSinceMs, session }: KnownRunner, nowMs: number): string | null {
  if (drainingSinceMs !== null && nowMs - drainingSinceMs > MAX_DRAINING_MS)
    return 'It does not answer, or has not ended after its last program.';
  const maxMs = session === null ? MAX_LIFETIME_MS : MAX_SESSION_MS;
  if (takenAtMs !== null && nowMs - takenAtMs > maxMs) return 'It should have ended by itself.';
  return null;
}

/**
 * Grows at once, and shrinks by one a time. Runners end and are replaced all the time, and those that are starting are of no
 * use yet: so the size follows the idle ones that are up, and not a sum.
 */
async function resize(
  { idle, inUse }: { readonly idle: number; readonly inUse: readonly string[] },
  { minIdle, maxSize }: PoolSize,
  service: RunnerService,
): Promise<number> {
  const current = await service.desiredCount();
  const byIdle = idle < minIdle ? current + minIdle - idle : idle > minIdle ? current - 1 : current;
  const desired = Math.min(maxSize, Math.max(byIdle, inUse.length + minIdle));
  if (desired < current && inUse.length > 0) await service.protect(inUse, PROTECTED_MINUTES);
  if (desired !== current) await service.setDesiredCount(desired);
  return desired;
}

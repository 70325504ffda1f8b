import { setTimeout as sleep } from 'node:timers/promises';

/** A step over less takes a few milliseconds. */
const LARGE_LENGTH = 1024 * 1024;
/** On a busy machine a step takes long because others have the processor. */
const MAX_PAUSE_MS = 50;

/** Steps that wait, by tenant; the first one has the next turn. None is empty. */
const waiting = new Map<string, (() => void)[]>();
let isServing = false;

/**
 * Runs a step whose time grows with the length of a text, and whose text cannot be sent to another thread for less. Steps over megabytes run one
 * at a time, tenants taking turns; after each, other requests have the thread for as long as the step took.
 * @param length characters or bytes
 * @param tenant the workspace; the client's address where none is known
 */
export async function largeStep<T>(length: number, tenant: string, step: () => T): Promise<T> {
  if (length < LARGE_LENGTH) return step();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const run = () => {
    try {
      resolve(step());
    } catch (error) {
      reject(error);
    }
  };
  waiting.set(tenant, [...(waiting.get(tenant) ?? []), run]);
  if (!isServing) void serve();
  return promise;
}

async function serve(): Promise<void> {
  isServing = true;
  for (let first = next(); first !== undefined; first = next()) {
    const beganAt = performance.now();
    first();
    await sleep(Math.min(performance.now() - beganAt, MAX_PAUSE_MS));
  }
  isServing = false;
}

/** Takes out the step that has the next turn; its tenant is the last one then. */
function next(): (() => void) | undefined {
  for (const [tenant, [step, ...others]] of waiting) {
    waiting.delete(tenant);
    if (others.length > 0) waiting.set(tenant, others);
    return step;
  }
  return undefined;
}

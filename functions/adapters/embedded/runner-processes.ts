import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, RunnerRegistry } from '../../sandbox/domain/runner-ports.ts';
import type { AvailableLanguage } from '../../sandbox/domain/sandbox-pool.ts';
import { type RunnerProcess, type RunnerProcessEvents, startRunnerProcess } from './runner-process.ts';

/** After which it is looked again though nothing has been heard. */
const LOOK_AGAIN_MS = 25;

/** One place for a runner. When that one ends, the next one gets another id. */
interface Place {
  readonly id: string;
  readonly process: Promise<RunnerProcess>;
  workspaceId: string | null;
  isBusy: boolean;
}

/** The runners of this machine: processes that are started on first use, and replaced when they end. */
export class RunnerProcesses implements RunnerRegistry {
  readonly #most: number;
  readonly #places = new Map<string, Place>();
  readonly #waiting = new Set<() => void>();
  readonly #tellMissing: RunnerProcessEvents['missing'];
  #started = 0;

  constructor(most: number, tellMissing: RunnerProcessEvents['missing']) {
    this.#most = most;
    this.#tellMissing = tellMissing;
  }

  async candidates(workspaceId: string): Promise<readonly Runner[]> {
    const idle = this.#idle();
    const usable = idle.filter((place) => place.workspaceId === workspaceId || place.workspaceId === null);
    if (usable.length === 0) usable.push(...this.#newPlace(idle));
    return Promise.all(
      usable.map(async ({ id, process, workspaceId }) => ({ id, url: (await process).url, workspaceId })),
    );
  }

  async languages(): Promise<readonly AvailableLanguage[]> {
    const place = this.#places.values().next().value ?? this.#start();
    return (await place.process).languages();
  }

  async taken({ id }: Runner, workspaceId: string): Promise<void> {
    const place = this.#places.get(id);
    if (place !== undefined) Object.assign(place, { workspaceId, isBusy: true });
    // Who comes next should not wait for its start.
    if (this.#idle().length === 0 && this.#places.size < this.#most) this.#start();
  }

  async freed({ id }: Runner): Promise<void> {
    const place = this.#places.get(id);
    if (place !== undefined) place.isBusy = false;
    this.#wakeNext();
  }

  async ended({ id }: Runner): Promise<void> {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#end(place);
    this.#start();
    this.#wakeNext();
  }

  async change(atMostMs: number): Promise<void> {
    const wake = Promise.withResolvers<void>();
    this.#waiting.add(wake.resolve);
    await Promise.race([wake.promise, sleep(Math.min(atMostMs, LOOK_AGAIN_MS))]);
    this.#waiting.delete(wake.resolve);
  }

  /** Ends them all; the next program starts others. */
  stop(): void {
    for (const place of this.#places.values()) this.#end(place);
  }

  /** Who has waited longest; there is one runner more, not one for each. */
  #wakeNext(): void {
    const [wake] = this.#waiting;
    wake?.();
  }

  #idle(): readonly Place[] {
    return [...this.#places.values()].filter(({ isBusy }) => !isBusy);
  }

  /** Another one, where there is room or where one that another workspace does not use can make room. */
  #newPlace(idle: readonly Place[]): readonly Place[] {
    if (this.#places.size >= this.#most) {
      const [unused] = idle;
      if (unused === undefined) return [];
      this.#end(unused);
    }
    return [this.#start()];
  }

  #start(): Place {
    const id = `runner-${this.#started++}`;
    const forget = () => void this.#places.delete(id);
    const process = startRunnerProcess({ missing: this.#tellMissing, ended: forget });
    // What could not start is tried again by the next one who needs it.
    process.catch(forget);
    const place = { id, process, workspaceId: null, isBusy: false };
    this.#places.set(id, place);
    return place;
  }

  #end({ id, process }: Place): void {
    this.#places.delete(id);
    process.then(
      (runner) => runner.end(),
      () => undefined,
    );
  }
}

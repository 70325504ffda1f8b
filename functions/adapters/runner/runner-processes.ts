import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptRunner, Runner, RunnerRegistry } from '../../sandbox/domain/runner-ports.ts';
import type { AvailableLanguage } from '../../sandbox/domain/sandbox-pool.ts';
import { type RunnerProcess, type RunnerProcessEvents, startRunnerProcess } from './runner-process.ts';
import { turnOrTime } from './turn-or-time.ts';

/** After which it is looked again though nothing has been heard. */
const LOOK_AGAIN_MS = 25;

/** One place for a runner. When that one ends, the next one gets another id. */
interface Place {
  readonly id: string;
  readonly process: Promise<RunnerProcess>;
  /** Null until it can be asked. */
  url: string | null;
  workspaceId: string | null;
  isBusy: boolean;
}

/** The runners of this machine: processes that are started on first use, and replaced when they end. */
export class RunnerProcesses implements RunnerRegistry {
  readonly #maxSize: number;
  readonly #places = new Map<string, Place>();
  /** In addition to the others: a kept session takes no place from them. */
  readonly #kept = new Map<string, Place & { readonly session: string }>();
  readonly #waiting = new Set<() => void>();
  readonly #tellMissing: RunnerProcessEvents['missing'];
  #started = 0;

  constructor(maxSize: number, tellMissing: RunnerProcessEvents['missing']) {
    this.#maxSize = maxSize;
    this.#tellMissing = tellMissing;
  }

  async candidates(workspaceId: string): Promise<readonly Runner[]> {
    const ready = this.#ready(workspaceId);
    if (ready.length > 0) return ready;
    const usable = this.#usable(workspaceId);
    const starting = usable.length > 0 ? usable : this.#newPlace();
    if (starting.length === 0) return [];
    // One may be killed while it starts; where none can start, the second one says so too.
    await Promise.race(starting.map(({ process }) => process)).catch(() => this.#start().process);
    return this.#ready(workspaceId);
  }

  async languages(): Promise<readonly AvailableLanguage[]> {
    const place = this.#places.values().next().value ?? this.#start();
    return (await place.process).languages();
  }

  async markTaken({ id }: Runner, workspaceId: string): Promise<void> {
    const place = this.#places.get(id);
    if (place !== undefined) Object.assign(place, { workspaceId, isBusy: true });
    // Who comes next should not wait for its start.
    if (this.#idle().length === 0 && this.#places.size < this.#maxSize) this.#start();
  }

  async markIdle({ id }: Runner): Promise<void> {
    const place = this.#places.get(id);
    if (place !== undefined) place.isBusy = false;
    this.#wakeNext();
  }

  async keptBy(workspaceId: string): Promise<readonly KeptRunner[]> {
    return [...this.#kept.values()].flatMap(({ id, url, session, workspaceId: owner }) =>
      owner === workspaceId && url !== null ? [{ id, url, session, workspaceId }] : [],
    );
  }

  async markKept({ id }: Runner, workspaceId: string, session: string): Promise<void> {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#kept.set(id, { ...place, workspaceId, session });
    if (this.#idle().length === 0) this.#start();
  }

  async markDraining({ id }: Runner): Promise<void> {
    const kept = this.#kept.get(id);
    if (kept !== undefined) {
      this.#kept.delete(id);
      this.#end(kept);
    }
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#end(place);
    this.#start();
    this.#wakeNext();
  }

  async waitForChange(maxMs: number, turn: Promise<void> | null): Promise<void> {
    if (turn !== null) return turnOrTime(turn, maxMs);
    const wake = Promise.withResolvers<void>();
    this.#waiting.add(wake.resolve);
    await Promise.race([wake.promise, sleep(Math.min(maxMs, LOOK_AGAIN_MS))]);
    this.#waiting.delete(wake.resolve);
  }

  /** Ends them all; the next program starts others. */
  stop(): void {
    for (const place of [...this.#places.values(), ...this.#kept.values()]) this.#end(place);
    this.#kept.clear();
  }

  /** Wakes the request that has waited longest; one runner became free, so that only one can go. */
  #wakeNext(): void {
    const [wake] = this.#waiting;
    wake?.();
  }

  #idle(): readonly Place[] {
    return [...this.#places.values()].filter(({ isBusy }) => !isBusy);
  }

  #usable(workspaceId: string): readonly Place[] {
    return this.#idle().filter((place) => place.workspaceId === workspaceId || place.workspaceId === null);
  }

  #ready(workspaceId: string): readonly Runner[] {
    return this.#usable(workspaceId).flatMap(({ id, url, workspaceId }) =>
      url === null ? [] : [{ id, url, workspaceId }],
    );
  }

  /** Another one, where there is room or where one that another workspace does not use can make room. */
  #newPlace(): readonly Place[] {
    if (this.#places.size >= this.#maxSize) {
      const [unused] = this.#idle();
      if (unused === undefined) return [];
      this.#end(unused);
    }
    return [this.#start()];
  }

  #start(): Place {
    const id = `runner-${this.#started++}`;
    const process = startRunnerProcess({ missing: this.#tellMissing, ended: () => this.#lost(id) });
    const place: Place = { id, process, url: null, workspaceId: null, isBusy: false };
    process.then(
      ({ url }) => {
        place.url = url;
      },
      () => this.#lost(id),
    );
    this.#places.set(id, place);
    return place;
  }

  /** Replaces a runner that has worked; one that failed to start is retried on the next demand. */
  #lost(id: string): void {
    this.#kept.delete(id);
    const place = this.#places.get(id);
    this.#places.delete(id);
    if (place?.workspaceId) this.#start();
  }

  #end({ id, process }: Place): void {
    this.#places.delete(id);
    process.then(
      (runner) => runner.end(),
      () => undefined,
    );
  }
}

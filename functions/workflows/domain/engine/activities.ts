import { notifiedBy } from '../graph/people.ts';
import type { Command, PendingDecision } from './engine-events.ts';
import type { Activity } from './frame.ts';
import { commandOf } from './node-outcomes.ts';

/** The nodes of a run that have started and not ended, in the order of their start. */
export class Activities {
  readonly #byKey = new Map<string, Activity>();

  add(activity: Activity): void {
    this.#byKey.set(activity.key, activity);
  }

  find(key: string): Activity | undefined {
    return this.#byKey.get(key);
  }

  remove({ key }: Activity): void {
    this.#byKey.delete(key);
  }

  /** The newest first. */
  newestFirst(): readonly Activity[] {
    return [...this.#byKey.values()].reverse();
  }

  /** Requests of all of them to their surroundings. */
  commands(): readonly Command[] {
    return [...this.#byKey.values()].flatMap((activity) => commandOf(activity) ?? []);
  }

  /** True while all of them only wait for people. */
  get isWaiting(): boolean {
    let isAny = false;
    for (const { state } of this.#byKey.values()) {
      if (state === 'running' || state === 'delayed') return false;
      isAny ||= state === 'waiting';
    }
    return isAny;
  }

  get pendingDecisions(): readonly PendingDecision[] {
    return [...this.#byKey.values()]
      .filter(({ state }) => state === 'waiting')
      .map(({ key, node, config, untilMs, isNotified = false }) => ({
        key,
        node: { ...node, config },
        message: config.message ?? null,
        untilMs,
        needsNotice: !isNotified && notifiedBy({ config }) !== null,
      }));
  }
}

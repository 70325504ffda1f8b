import type { Trigger, TriggerId } from './trigger.ts';

/** Stored triggers. Reads are strongly consistent. */
export interface Triggers {
  find(id: TriggerId): Promise<Trigger | null>;
  /** By its id alone, which the address of a webhook holds. */
  findWebhook(triggerId: string): Promise<Trigger | null>;
  /** Oldest first, of one workflow. */
  list(workspaceId: string, workflowId: string): Promise<Trigger[]>;
  /** Of the whole workspace. */
  count(workspaceId: string): Promise<number>;
  create(trigger: Trigger): Promise<void>;
  /** @returns false when it has changed since it was read. */
  replace(seen: Trigger, next: Trigger): Promise<boolean>;
  remove(trigger: Trigger): Promise<void>;
}

/** The schedules, by the time at which they are due. */
export interface Schedules {
  due(untilMs: number): AsyncIterable<DueSchedule>;
  /** Moves a schedule on to its next time. Does nothing where it has been moved before. */
  advance(seen: Trigger, next: Pick<Trigger, 'dueAtMs' | 'lastFiredAtMs'>): Promise<void>;
  /** Takes an entry off the list whose schedule is gone, or due at another time. */
  drop(due: DueSchedule): Promise<void>;
}

export interface DueSchedule extends TriggerId {
  readonly dueAtMs: number;
}

/** The times of cron patterns with five fields. */
export interface CronTimes {
  /** The fault of a pattern or a time zone, as the rest of a sentence; null without one. */
  faultOf(cron: string, timeZone: string): string | null;
  /** The first time after another one; null where there is none any more. */
  next(schedule: { readonly cron: string; readonly timeZone: string }, afterMs: number): number | null;
}

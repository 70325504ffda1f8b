import { WorkflowRefused } from '../workflow-refused.ts';
import { MAX_LATE_MS, type Trigger, type TriggerSource } from './trigger.ts';
import type { CronTimes, DueSchedule, Schedules, Triggers } from './trigger-ports.ts';
import { queueUnwatched, type TriggeredPorts } from './triggered-run.ts';

export interface FirePorts extends TriggeredPorts {
  readonly triggers: Pick<Triggers, 'find' | 'remove'>;
  readonly schedules: Schedules;
  readonly cron: Pick<CronTimes, 'next'>;
  readonly onFiringFault: (due: DueSchedule, error: unknown) => void;
}

type Schedule = Extract<TriggerSource, { kind: 'schedule' }>;

/** Most schedules are due at the full hour: one slow firing must not delay the others. */
const AT_ONCE = 8;

/**
 * Starts the runs of all schedules that are due. A run is stored together with a key made of its trigger and the planned minute, and the
 * schedule advances afterwards: a repetition after a crash, or at the same moment, starts no second run.
 * @returns the number of started runs.
 */
export async function fireSchedules(ports: FirePorts): Promise<number> {
  const waiting: DueSchedule[] = [];
  for await (const due of ports.schedules.due(ports.clock.now())) waiting.push(due);
  let fired = 0;
  const work = async () => {
    for (let due = waiting.shift(); due; due = waiting.shift())
      // What fails stays due, and is tried again in the next round.
      await fire(due, ports).then(
        (hasFired) => {
          fired += hasFired ? 1 : 0;
        },
        (error: unknown) => ports.onFiringFault(due!, error),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return fired;
}

async function fire(due: DueSchedule, ports: FirePorts): Promise<boolean> {
  const trigger = await ports.triggers.find(due);
  if (trigger?.source.kind !== 'schedule' || !trigger.isEnabled || trigger.dueAtMs !== due.dueAtMs) {
    await ports.schedules.drop(due);
    return false;
  }
  const { source } = trigger;
  const nowMs = ports.clock.now();
  const plannedAtMs = latestPlanned(source, due.dueAtMs, nowMs, ports.cron);
  const isNew = plannedAtMs !== null && (await begin(trigger, plannedAtMs, ports));
  if (isNew === null) return false;
  const lastFiredAtMs = plannedAtMs ?? trigger.lastFiredAtMs;
  await ports.schedules.advance(trigger, { dueAtMs: ports.cron.next(source, nowMs), lastFiredAtMs });
  return isNew;
}

/** After an outage the newest missed time stands for those before it; none that is too long ago is made up for. */
function latestPlanned(source: Schedule, dueAtMs: number, nowMs: number, cron: Pick<CronTimes, 'next'>): number | null {
  const earliestMs = nowMs - MAX_LATE_MS;
  let planned = dueAtMs >= earliestMs ? dueAtMs : null;
  for (let next = cron.next(source, planned ?? earliestMs); next !== null && next <= nowMs; )
    [planned, next] = [next, cron.next(source, next)];
  return planned;
}

/** @returns whether the run is new; null where the workflow is gone, and the trigger with it. */
async function begin(trigger: Trigger, plannedAtMs: number, ports: FirePorts): Promise<boolean | null> {
  const { triggerId } = trigger;
  const schedule = { planned_at: new Date(plannedAtMs).toISOString() };
  const firing = { key: `schedule ${triggerId} ${plannedAtMs}`, values: { schedule }, plannedAtMs };
  try {
    return (await queueUnwatched(trigger, firing, ports)).isNew;
  } catch (error) {
    if (!(error instanceof WorkflowRefused && error.refusal === 'not_found')) throw error;
    await ports.triggers.remove(trigger);
    return null;
  }
}

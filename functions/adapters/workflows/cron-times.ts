import { Cron } from 'croner';
import type { CronTimes } from '../../workflows/domain/triggers/trigger-ports.ts';

const FIVE_FIELDS = /^[^\s]+(?: [^\s]+){4}$/;
const MAX_LENGTH = 200;

/**
 * Times by croner. When clocks go forward, a time that does not exist that day is the moment of the change; when they go
 * back, a time that comes twice counts once, the first time, while patterns of every hour or minute keep their pace.
 */
export const cronTimes: CronTimes = {
  faultOf(cron, timeZone) {
    if (cron.length > MAX_LENGTH || !FIVE_FIELDS.test(cron))
      return 'cron: must have five fields: minute, hour, day of the month, month, day of the week. The shortest interval is a minute.';
    if (!isTimeZone(timeZone)) return 'time_zone: must be a name of the IANA list, such as Asia/Seoul.';
    try {
      if (made({ cron, timeZone }).nextRun() === null) return 'cron: never comes. Check its day and month.';
      return null;
    } catch (error) {
      return `cron: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
    }
  },
  next(schedule, afterMs) {
    return made(schedule).nextRun(new Date(afterMs))?.getTime() ?? null;
  },
};

function made({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }): Cron {
  return new Cron(cron, { mode: '5-part', timezone: timeZone, paused: true });
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    // Offsets are taken by Intl, too; they know no daylight saving, and no name.
    return /^[A-Z]/i.test(timeZone);
  } catch {
    return false;
  }
}

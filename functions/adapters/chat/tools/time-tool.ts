import { type Tool, ToolFailed } from '../../../chat/domain/tools/tool.ts';
import type { Clock } from '../../../shared/ports/clock.ts';

/** The time of now in a zone. */
export function timeTool(name: string, clock: Clock): Tool {
  return {
    name,
    description: 'Returns the current date, weekday and time in a time zone.',
    parameters: {
      type: 'object',
      properties: {
        time_zone: { type: 'string', description: 'Of the IANA list, such as Asia/Seoul; by default UTC' },
      },
    },
    async run({ time_zone: timeZone = 'UTC' }) {
      return { text: timeIn(String(timeZone), clock.now()) };
    },
  };
}

function timeIn(timeZone: string, nowMs: number): string {
  const options = { timeZone, dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' } as const;
  try {
    const local = new Intl.DateTimeFormat('en-GB', options).format(nowMs);
    return `${local} in ${timeZone}; ${new Date(nowMs).toISOString()}`;
  } catch (error) {
    throw new ToolFailed('invalid_arguments', 'time_zone must be of the IANA list, such as Asia/Seoul.', {
      cause: error,
    });
  }
}

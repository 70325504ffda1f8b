import type { Access } from './access.ts';

/** What a function needs that tells workflows of events. */
export const tellsEvents = {
  tables: { workflows: 'read' },
  queues: { runs: 'send' },
} as const satisfies Access;

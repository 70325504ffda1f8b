import type { Access } from './access.ts';

/** Access that a function needs to notify workflows of events. */
export const publishesEvents = {
  tables: { workflows: 'read' },
  queues: { runs: 'send' },
} as const satisfies Access;

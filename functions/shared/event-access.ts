import { type Access, queue, table } from './access.ts';

/** Access that a function needs to notify workflows of events. */
export const publishesEvents: Access = [table('workflows', 'GetItem', 'Query'), queue('runs', 'send')];

import type { GrantMaker } from './grant.ts';

/** The part of a function in the pool of runners; nothing where there is no pool. */
export const grantRunners: GrantMaker = ({ access }, { pool }) =>
  access.runners === undefined || pool === null ? [] : [pool.grant(access.runners)];

import { allowTable, type GrantMaker, type PoolRole } from './grant.ts';

/** The list of languages. Its readers need the registry of runners alone, and may belong to another stack than the pool. */
export const grantLanguages: GrantMaker = (sources) =>
  sources.config.sandbox === 'fargate'
    ? [allowTable('runners', ['GetItem'], sources), { environment: { SANDBOX: 'fargate' } }]
    : [];

/** The part of a function in the pool of runners; nothing if there is no pool. */
export function grantPool(role: PoolRole): GrantMaker {
  return ({ config, pool }) => (config.sandbox === 'fargate' && pool !== null ? [pool.grant(role)] : []);
}

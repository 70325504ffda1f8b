import { tables } from '../../functions/shared/resources.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** The part of a function in the pool of runners; nothing where there is no pool. */
export const grantRunners: GrantMaker = (entry, sources) => {
  const { runners } = entry.access;
  const { config, data, pool } = sources;
  if (runners === undefined || config.sandbox !== 'fargate') return [];
  // Readers of the list need the registry alone, and may belong to another stack than the pool.
  if (runners === 'languages')
    return [
      {
        statements: allowTable(entry, 'runners', ['dynamodb:GetItem'], sources),
        environment: { SANDBOX: 'fargate', [tables.runners.environment]: data.tables.runners.tableName },
      },
    ];
  return pool === null ? [] : [pool.grant(runners)];
};

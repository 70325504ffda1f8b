import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

/** Large values of runs belong to the records in their table. */
export const grantRuns: GrantMaker = (entry, sources) => {
  const right = entry.access.tables?.runs;
  return right === undefined
    ? []
    : [grantObjects(entry, 'runs', ['s3:GetObject', ...(right === 'read' ? [] : ['s3:PutObject'])], sources)];
};

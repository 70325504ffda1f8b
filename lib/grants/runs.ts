import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

/** Large values of runs belong to the records in their table. */
export const grantRuns: GrantMaker = ({ access }, sources) => {
  const right = access.tables?.runs;
  return right === undefined
    ? []
    : [grantObjects('runs', ['s3:GetObject', ...(right === 'read' ? [] : ['s3:PutObject'])], sources)];
};

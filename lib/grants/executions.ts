import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const WRITE = ['s3:PutObject', 's3:DeleteObject'];

/** Programs and outputs that are too large for a table. */
export const grantExecutions: GrantMaker = (entry, sources) =>
  entry.access.executions === undefined
    ? []
    : [
        grantObjects(
          entry,
          'executions',
          ['s3:GetObject', ...(entry.access.executions === 'read' ? [] : WRITE)],
          sources,
        ),
      ];

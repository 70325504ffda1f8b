import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const WRITE = ['s3:PutObject', 's3:DeleteObject'];

/** Programs and outputs that are too large for a table. */
export const grantExecutions: GrantMaker = ({ access }, sources) =>
  access.executions === undefined
    ? []
    : [grantObjects('executions', ['s3:GetObject', ...(access.executions === 'read' ? [] : WRITE)], sources)];

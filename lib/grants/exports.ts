import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

/** Archives of whole workspaces. A presigned address can do no more than the role that signs it. */
export const grantExports: GrantMaker = (entry, sources) =>
  entry.access.exports === undefined
    ? []
    : [grantObjects(entry, 'exports', [entry.access.exports === 'read' ? 's3:GetObject' : 's3:PutObject'], sources)];

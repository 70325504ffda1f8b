import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const WRITE = ['s3:PutObject', 's3:DeleteObject'];

/** Drug lists of workspaces. */
export const grantFormularies: GrantMaker = (entry, sources) =>
  entry.access.formularies === undefined
    ? []
    : [
        grantObjects(
          entry,
          'formularies',
          ['s3:GetObject', ...(entry.access.formularies === 'read' ? [] : WRITE)],
          sources,
        ),
      ];

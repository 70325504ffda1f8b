import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const WRITE = ['s3:PutObject', 's3:DeleteObject'];

/** Segments of the indexes of knowledge bases. */
export const grantKnowledge: GrantMaker = (entry, sources) =>
  entry.access.knowledge === undefined
    ? []
    : [
        grantObjects(
          entry,
          'knowledge',
          ['s3:GetObject', ...(entry.access.knowledge === 'read' ? [] : WRITE)],
          sources,
        ),
      ];

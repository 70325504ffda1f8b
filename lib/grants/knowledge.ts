import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const WRITE = ['s3:PutObject', 's3:DeleteObject'];

/** Segments of the indexes of knowledge bases. */
export const grantKnowledge: GrantMaker = ({ access }, sources) =>
  access.knowledge === undefined
    ? []
    : [grantObjects('knowledge', ['s3:GetObject', ...(access.knowledge === 'read' ? [] : WRITE)], sources)];

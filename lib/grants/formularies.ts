import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const WRITE = ['s3:PutObject', 's3:DeleteObject'];

/** Drug lists of workspaces. */
export const grantFormularies: GrantMaker = ({ access }, sources) =>
  access.formularies === undefined
    ? []
    : [grantObjects('formularies', ['s3:GetObject', ...(access.formularies === 'read' ? [] : WRITE)], sources)];

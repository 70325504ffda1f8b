import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const ACTIONS = {
  read: ['s3:GetObject'],
  'read-remove': ['s3:GetObject', 's3:DeleteObject'],
  'read-write': ['s3:GetObject', 's3:PutObject'],
  'read-write-remove': ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
  remove: ['s3:DeleteObject'],
} as const;

/** Images that callers have sent or are to send. A presigned address can do no more than the role that signs it. */
export const grantUploads: GrantMaker = (entry, sources) =>
  entry.access.uploads === undefined
    ? []
    : [
        grantObjects(entry, 'uploads', ACTIONS[entry.access.uploads], sources),
        ...(entry.access.uploads === 'read-write'
          ? [{ environment: { UPLOADS_NEED_LENGTH: sources.config.uploadsWithoutLength ? '0' : '1' } }]
          : []),
      ];

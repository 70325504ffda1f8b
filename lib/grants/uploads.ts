import type { GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

/** Images that callers have sent or are to send. A presigned address can do no more than the role that signs it. */
export const grantUploads: GrantMaker = ({ access }, sources) =>
  access.uploads === undefined
    ? []
    : [
        grantObjects('uploads', ['s3:GetObject', ...(access.uploads === 'read' ? [] : ['s3:PutObject'])], sources),
        ...(access.uploads === 'read'
          ? []
          : [{ environment: { UPLOADS_NEED_LENGTH: sources.config.uploadsWithoutLength ? '0' : '1' } }]),
      ];

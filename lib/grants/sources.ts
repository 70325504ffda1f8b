import { allow, type GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

/** Files that knowledge bases read by themselves. Finding the files of a prefix requires listing the bucket. */
export const grantSources: GrantMaker = (entry, sources) =>
  entry.access.sources === undefined
    ? []
    : [
        grantObjects(entry, 'sources', ['s3:GetObject'], sources),
        { statements: [allow(['s3:ListBucket'], [sources.data.buckets.sources.bucketArn])] },
      ];

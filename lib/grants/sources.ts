import { allow, type GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

/** Files that knowledge bases read by themselves. Finding the files of a prefix requires listing the bucket. */
export const grantSources: GrantMaker = ({ access }, sources) =>
  access.sources === undefined
    ? []
    : [
        grantObjects('sources', ['s3:GetObject'], sources),
        { statements: [allow(['s3:ListBucket'], [sources.data.buckets.sources.bucketArn])] },
      ];

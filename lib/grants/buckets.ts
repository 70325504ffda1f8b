import type { BucketGrant } from '../../functions/shared/access.ts';
import { type BucketId, buckets } from '../../functions/shared/resources.ts';
import { allow, type Grant, type Sources } from './grant.ts';

/** Rights to the objects of a bucket, and to listing them. */
export function grantBucket({ bucket: id, actions }: BucketGrant, sources: Sources): readonly Grant[] {
  const ofObjects = actions.filter((action) => action !== 'ListBucket').map((action) => `s3:${action}`);
  const { data, config } = sources;
  return [
    grantObjects(id, ofObjects, sources),
    ...(actions.includes('ListBucket')
      ? [{ statements: [allow(['s3:ListBucket'], [data.buckets[id].bucketArn])] }]
      : []),
    // Of the addresses that clients upload to.
    ...(id === 'uploads' && actions.includes('PutObject')
      ? [{ environment: { UPLOADS_NEED_LENGTH: config.uploadsWithoutLength ? '0' : '1' } }]
      : []),
  ];
}

/** @param actions with their service: `s3:GetObject` */
function grantObjects(id: BucketId, actions: readonly string[], { stack, data }: Sources): Grant {
  const bucket = data.buckets[id];
  const { 'Fn::ImportValue': arn } = stack.resolve(data.exportValue(bucket.bucketArn)) as { 'Fn::ImportValue': string };
  return {
    statements: [allow(actions, [bucket.arnForObjects('*')])],
    environment: { [buckets[id].environment]: bucket.bucketName },
    wildcards: [{ resource: `${arn}/*`, reason: 'The names of the objects are not known beforehand.' }],
  };
}

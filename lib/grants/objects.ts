import { type BucketId, buckets } from '../../functions/shared/resources.ts';
import { allow, type Grant, type Sources } from './grant.ts';

/** Rights to all objects of a bucket. */
export function grantObjects(id: BucketId, actions: readonly string[], { stack, data }: Sources): Grant {
  const bucket = data.buckets[id];
  const { 'Fn::ImportValue': arn } = stack.resolve(data.exportValue(bucket.bucketArn)) as { 'Fn::ImportValue': string };
  return {
    statements: [allow(actions, [bucket.arnForObjects('*')])],
    environment: { [buckets[id].environment]: bucket.bucketName },
    wildcards: [{ resource: `${arn}/*`, reason: 'The names of the objects are not known beforehand.' }],
  };
}

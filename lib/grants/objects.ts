import { type BucketId, buckets } from '../../functions/shared/resources.ts';
import { allow, type Grant, type Granted, type Sources } from './grant.ts';
import { trimmed } from './used-rights.ts';

/** Rights to all objects of a bucket. */
export function grantObjects(
  entry: Granted,
  id: BucketId,
  actions: readonly string[],
  { stack, data }: Sources,
): Grant {
  const bucket = data.buckets[id];
  const { 'Fn::ImportValue': arn } = stack.resolve(data.exportValue(bucket.bucketArn)) as { 'Fn::ImportValue': string };
  const environment = { [buckets[id].environment]: bucket.bucketName };
  const used = trimmed(entry.id, `bucket:${id}`, actions);
  if (used.length === 0) return { environment };
  return {
    statements: [allow(used, [bucket.arnForObjects('*')])],
    environment,
    wildcards: [{ resource: `${arn}/*`, reason: 'The names of the objects are not known beforehand.' }],
  };
}

import type { ErasePorts } from '../../accounts/domain/erase-data.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoErasures } from '../../adapters/erasure/dynamo-erasures.ts';
import { ErasableBucket } from '../../adapters/erasure/erasable-bucket.ts';
import { ErasableTable } from '../../adapters/erasure/erasable-table.ts';
import { s3Client } from '../../adapters/s3/client.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { type BucketId, buckets, type TableId, tables } from '../../shared/resources.ts';

/** Every table and bucket; accounts are the first of the tables. */
export function erasePorts(): ErasePorts {
  const client = dynamoClient();
  const { ACCOUNTS_TABLE, CHANNELS_TABLE } = environment('ACCOUNTS_TABLE', 'CHANNELS_TABLE');
  return {
    erasures: new DynamoErasures(client, { accounts: ACCOUNTS_TABLE, channels: CHANNELS_TABLE }),
    stores: [
      ...(Object.keys(tables) as TableId[]).map((id) => new ErasableTable(id, nameOf(tables[id]), client)),
      ...(Object.keys(buckets) as BucketId[]).map((id) => new ErasableBucket(nameOf(buckets[id]), s3Client())),
    ],
    clock: systemClock,
  };
}

function nameOf({ environment: variable }: (typeof tables)[TableId] | (typeof buckets)[BucketId]): string {
  return environment(variable)[variable];
}

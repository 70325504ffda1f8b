import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { DynamoTable } from '../../functions/adapters/dynamodb/table.ts';
import type { DynamoLimits } from '../../functions/adapters/shared/dynamo-limits.ts';
import { environment } from '../../functions/shared/environment.ts';

/** Gives every caller of the service in this process what the limits of calls allow, as if none had called. */
export async function refillLimits(): Promise<void> {
  await refill((pk) => pk.startsWith('LIMIT#'));
}

/** As `refillLimits`, without the counters of a day. */
export async function refillCalls(): Promise<void> {
  await refill((pk) => pk.startsWith('LIMIT#') && !pk.startsWith('LIMIT#day '));
}

async function refill(isBucket: (pk: string) => boolean): Promise<void> {
  const { LIMITS_TABLE } = environment('LIMITS_TABLE');
  const { Items = [] } = await dynamoClient().send(new ScanCommand({ TableName: LIMITS_TABLE }));
  const table = new DynamoTable(dynamoClient(), LIMITS_TABLE);
  // Budgets of a day are in the same table, and are not refilled.
  const buckets = Items.filter(({ pk }) => isBucket(String(pk)));
  await Promise.all(buckets.map(({ pk, sk }) => table.delete({ pk, sk })));
  // Imported only now: its module reads the environment of the service.
  const { httpPorts } = await import('../../functions/wiring/shared/http.ts');
  (httpPorts.limits().store as DynamoLimits).forget();
}

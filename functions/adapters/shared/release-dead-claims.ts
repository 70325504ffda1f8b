import { environment } from '../../shared/environment.ts';
import { dynamoClient } from '../dynamodb/client.ts';
import { DynamoIdempotency } from './dynamo-idempotency.ts';

/** For the start of the local service, which is a single process: frees the keys of the calls that died with the last one. */
export async function releaseDeadClaims(): Promise<void> {
  const { IDEMPOTENCY_TABLE } = environment('IDEMPOTENCY_TABLE');
  await new DynamoIdempotency(dynamoClient(), IDEMPOTENCY_TABLE).releaseAll();
}

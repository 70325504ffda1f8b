import type { UsageRecorder } from '../../accounts/domain/usage.ts';
import { DynamoUsage } from '../../adapters/accounts/dynamo-usage.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { tokenBudgets } from '../accounts/token-budgets.ts';
import { bases, embeddings } from '../knowledge/bases.ts';
import { applications } from './chat.ts';

export function embeddingPorts() {
  const { USAGE_TABLE } = environment('USAGE_TABLE');
  const usage: UsageRecorder = new DynamoUsage(dynamoClient(), USAGE_TABLE, jitteredBackoff);
  return {
    applications: applications(),
    bases: bases(),
    embeddings: embeddings(),
    usage,
    tokenBudgets: tokenBudgets(),
    clock: systemClock,
  };
}

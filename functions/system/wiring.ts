import { sharedDrugMaster } from '../adapters/drug-master/drug-master-by-url.ts';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { probeTable } from '../adapters/dynamodb/table-probe.ts';
import { environment } from '../shared/environment.ts';
import type { HealthCheck } from './domain/health.ts';

export function healthChecks(): Readonly<Record<'accounts' | 'drugMaster', HealthCheck>> {
  const { ACCOUNTS_TABLE, DRUG_MASTER } = environment('ACCOUNTS_TABLE', 'DRUG_MASTER');
  return {
    accounts: () => probeTable(dynamoClient(), ACCOUNTS_TABLE),
    drugMaster: async () => (await sharedDrugMaster(DRUG_MASTER)).current(),
  };
}

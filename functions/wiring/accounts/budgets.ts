import type { ManageBudgetPorts } from '../../accounts/domain/manage-budgets.ts';
import { DynamoApiKeys } from '../../adapters/accounts/dynamo-api-keys.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { applicationKey } from '../../adapters/dynamodb/keys.ts';
import { DynamoTable } from '../../adapters/dynamodb/table.ts';
import { DynamoDayCounters } from '../../adapters/shared/dynamo-day-counters.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { accounts } from './accounts.ts';

/** Ports of functions that list budgets or remove one. */
export function budgetPorts(): Omit<ManageBudgetPorts, 'counters' | 'subjectExists'> {
  return { accounts: accounts(), budgets: accounts(), clock: systemClock, ids: ulidIds, backoff: jitteredBackoff };
}

export function counterPorts(): Pick<ManageBudgetPorts, 'counters'> {
  return { counters: new DynamoDayCounters(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE) };
}

export function subjectPorts(): Pick<ManageBudgetPorts, 'subjectExists'> {
  const { ACCOUNTS_TABLE, APPLICATIONS_TABLE } = environment('ACCOUNTS_TABLE', 'APPLICATIONS_TABLE');
  const keys = new DynamoApiKeys(dynamoClient(), ACCOUNTS_TABLE);
  const applications = new DynamoTable(dynamoClient(), APPLICATIONS_TABLE);
  return {
    async subjectExists(workspaceId, { kind, id }) {
      if (kind === 'application') return (await applications.get(applicationKey(workspaceId, id))) !== null;
      const key = await keys.find(id);
      return key !== null && key.workspaceId === workspaceId && key.revokedAt === null;
    },
  };
}

import type { CheckLedgerPorts } from '../../accounts/domain/check-ledger.ts';
import { changedAccounts } from '../../adapters/accounts/changed-accounts.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { LEDGER_MISMATCHES } from '../../shared/metric-names.ts';
import { accounts, ledger } from './accounts.ts';

export function checkLedgerPorts(): CheckLedgerPorts {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return {
    accounts: accounts(),
    ledger: ledger(),
    changedSince: (since) => changedAccounts(dynamoClient(), ACCOUNTS_TABLE, since),
    async onMismatch(workspaceId, what) {
      logger().error('A ledger does not add up', { workspaceId, what });
      await countMetric(LEDGER_MISMATCHES);
    },
  };
}

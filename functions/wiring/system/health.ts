import { sharedDrugMaster } from '../../adapters/drug-master/drug-master-by-url.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { probeTable } from '../../adapters/dynamodb/table-probe.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { type HealthCheck, SWITCHED_OFF } from '../../system/domain/health.ts';
import { SandboxCheck } from '../../system/sandbox-check.ts';
import { sandboxPool } from '../sandbox/sandbox.ts';

export function healthChecks(): Readonly<Record<'accounts' | 'drugMaster' | 'sandbox', HealthCheck>> {
  const { ACCOUNTS_TABLE, DRUG_MASTER, SANDBOX } = environment('ACCOUNTS_TABLE', 'DRUG_MASTER', 'SANDBOX');
  const sandbox = SANDBOX === undefined ? null : new SandboxCheck(sandboxPool(), systemClock);
  return {
    accounts: () => probeTable(dynamoClient(), ACCOUNTS_TABLE),
    drugMaster: async () => (await sharedDrugMaster(DRUG_MASTER)).current(),
    sandbox: async () => (sandbox === null ? SWITCHED_OFF : sandbox.run()),
  };
}

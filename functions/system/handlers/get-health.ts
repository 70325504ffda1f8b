import { drugMasterByUrl } from '../../adapters/drug-master/drug-master-by-url.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { probeTable } from '../../adapters/dynamodb/table-probe.ts';
import type { DrugMasterSource } from '../../extraction/domain/master/drug-master-source.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { envelopeBody } from '../../shared/http/problem-body.ts';
import { logger } from '../../shared/logging.ts';
import { checkHealth } from '../domain/health.ts';
import { getHealthRoute } from '../routes.ts';

const CHECK_TIMEOUT_MS = 4_000;

const { ACCOUNTS_TABLE, DRUG_MASTER, SERVICE_VERSION } = environment(
  'ACCOUNTS_TABLE',
  'DRUG_MASTER',
  'SERVICE_VERSION',
);
let master: DrugMasterSource | undefined;

export const handler = apiHandler(getHealthRoute, { presentProblem: envelopeBody }, async ({ requestId }) => {
  const { status, checks, reasons } = await checkHealth(
    {
      accounts: () => probeTable(dynamoClient(), ACCOUNTS_TABLE),
      drugMaster: async () => {
        master ??= await drugMasterByUrl(DRUG_MASTER);
        return master.current();
      },
    },
    CHECK_TIMEOUT_MS,
  );
  for (const [check, reason] of Object.entries(reasons))
    logger().error('Health check failed', { requestId, check, error: reason as Error });
  return { status: status === 'ok' ? 200 : 503, body: { status, version: SERVICE_VERSION, checks } };
});

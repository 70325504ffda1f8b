import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoIdempotency } from '../../adapters/shared/dynamo-idempotency.ts';
import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { logger } from '../../shared/logging.ts';
import { imageQueue, jobs, openJobs } from '../batch-ports.ts';
import { acceptBatch } from '../domain/batch/accept-batch.ts';
import { extractionManners } from '../http-manners.ts';
import { extractBatchRoute, getJobRoute } from '../routes.ts';
import { uploadsBucket } from '../uploads-bucket.ts';

const { ACCOUNTS_TABLE, IDEMPOTENCY_TABLE } = environment('ACCOUNTS_TABLE', 'IDEMPOTENCY_TABLE');
const idempotency = new DynamoIdempotency(dynamoClient(), IDEMPOTENCY_TABLE);
const ports = {
  accounts: new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE),
  idempotency,
  jobs: jobs(idempotency),
  openJobs: openJobs(),
  queue: imageQueue(),
  store: uploadsBucket(),
  clock: systemClock,
  ids: ulidIds,
  onUnsent: (jobId: string, error: unknown) =>
    logger().error('Images could not be queued; the reconciler will do it', { jobId, error: error as Error }),
};

export const handler = apiHandler(extractBatchRoute, extractionManners, async ({ caller, body, headers, baseUrl }) => {
  const command = {
    ...body,
    workspaceId: caller.workspaceId,
    idempotency: keyedCall(extractBatchRoute, headers['idempotency-key'], body),
    pollUrl: (jobId: string) => baseUrl + getJobRoute.path.replace('{id}', jobId),
  };
  const { job, replayed } = await acceptBatch(command, ports);
  return { status: 202, body: job, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
});

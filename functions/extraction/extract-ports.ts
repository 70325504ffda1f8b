import { DynamoAccounts } from '../adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { DynamoSettlements } from '../adapters/extraction/dynamo-settlements.ts';
import { DynamoIdempotency } from '../adapters/shared/dynamo-idempotency.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../adapters/shared/system-ports.ts';
import { environment } from '../shared/environment.ts';
import { memoizeAsync } from '../shared/memoize-async.ts';
import type { ExtractPorts } from './domain/extract.ts';
import { tableReader } from './table-reader.ts';

/** The extract flow's ports. */
export function extractPorts(): ExtractPorts {
  const { IDEMPOTENCY_TABLE } = environment('IDEMPOTENCY_TABLE');
  const idempotency = new DynamoIdempotency(dynamoClient(), IDEMPOTENCY_TABLE);
  return { ...readAndSettlePorts(idempotency), idempotency };
}

/**
 * Reading, judging and charging on DynamoDB with the readers of this runtime. What is heavy or rarely needed (native
 * modules, models, drug master, web client) is loaded by the first call that gets so far.
 * @param idempotency null for those whose calls have no Idempotency-Key.
 */
export function readAndSettlePorts(idempotency: DynamoIdempotency | null): Omit<ExtractPorts, 'idempotency'> {
  const settings = environment('ACCOUNTS_TABLE', 'EXTRACTIONS_TABLE', 'UPLOADS_BUCKET', 'DRUG_MASTER', 'TRIPOD_LOCAL');
  const client = dynamoClient();
  const tables = { accounts: settings.ACCOUNTS_TABLE, extractions: settings.EXTRACTIONS_TABLE };

  const images = memoizeAsync(async () => {
    const [{ WebImages }, { S3Uploads }, { s3Client }] = await Promise.all([
      import('../adapters/extraction/web-images.ts'),
      import('../adapters/extraction/s3-uploads.ts'),
      import('../adapters/s3/client.ts'),
    ]);
    const { UPLOADS_BUCKET, TRIPOD_LOCAL } = settings;
    return new WebImages({ allowLoopback: TRIPOD_LOCAL, uploads: new S3Uploads(UPLOADS_BUCKET, s3Client()) });
  });
  const master = memoizeAsync(async () => {
    const { drugMasterByUrl } = await import('../adapters/drug-master/drug-master-by-url.ts');
    return drugMasterByUrl(settings.DRUG_MASTER);
  });

  return {
    accounts: new DynamoAccounts(client, settings.ACCOUNTS_TABLE),
    settlements: new DynamoSettlements(client, tables, idempotency),
    images: { fetch: async (url, workspaceId) => (await images()).fetch(url, workspaceId) },
    reader: { read: async (...page) => (await tableReader()).read(...page) },
    master: { current: async () => (await master()).current() },
    clock: systemClock,
    ids: ulidIds,
    backoff: jitteredBackoff,
  };
}

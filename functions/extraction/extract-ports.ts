import { DynamoAccounts } from '../adapters/aws/dynamo-accounts.ts';
import { dynamoClient } from '../adapters/aws/dynamo-client.ts';
import { DynamoIdempotency } from '../adapters/aws/dynamo-idempotency.ts';
import { DynamoSettlements } from '../adapters/aws/dynamo-settlements.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../adapters/system-ports.ts';
import { environment } from '../shared/environment.ts';
import { lazily } from '../shared/lazily.ts';
import type { ExtractPorts } from './domain/extract.ts';
import { tableReader } from './table-reader.ts';

/**
 * The extract flow's ports on DynamoDB, and the readers of this runtime. What is heavy or rarely needed (native modules,
 * models, drug master, web client) is loaded by the first call that gets so far.
 */
export function extractPorts(): ExtractPorts {
  const settings = environment(
    'ACCOUNTS_TABLE',
    'EXTRACTIONS_TABLE',
    'IDEMPOTENCY_TABLE',
    'UPLOADS_BUCKET',
    'DRUG_MASTER',
    'TRIPOD_LOCAL',
  );
  const client = dynamoClient();
  const idempotency = new DynamoIdempotency(client, settings.IDEMPOTENCY_TABLE);
  const tables = { accounts: settings.ACCOUNTS_TABLE, extractions: settings.EXTRACTIONS_TABLE };

  const images = lazily(async () => {
    const [{ WebImages }, { S3Uploads }, { s3Client }] = await Promise.all([
      import('../adapters/web/web-images.ts'),
      import('../adapters/aws/s3-uploads.ts'),
      import('../adapters/aws/s3-client.ts'),
    ]);
    const { UPLOADS_BUCKET, TRIPOD_LOCAL } = settings;
    return new WebImages({ allowLoopback: TRIPOD_LOCAL, uploads: new S3Uploads(UPLOADS_BUCKET, s3Client()) });
  });
  const master = lazily(async () => {
    const { drugMasterByUrl } = await import('../adapters/drug-master-by-url.ts');
    return drugMasterByUrl(settings.DRUG_MASTER);
  });

  return {
    accounts: new DynamoAccounts(client, settings.ACCOUNTS_TABLE),
    idempotency,
    settlements: new DynamoSettlements(client, tables, idempotency),
    images: { fetch: async (url, workspaceId) => (await images()).fetch(url, workspaceId) },
    reader: { read: async (...page) => (await tableReader()).read(...page) },
    master: { current: async () => (await master()).current() },
    clock: systemClock,
    ids: ulidIds,
    backoff: jitteredBackoff,
  };
}

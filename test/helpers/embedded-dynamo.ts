import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { newDynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { type TableId, tables } from '../../functions/shared/resources.ts';
import { type DynamoDatabase, openDynamoDatabase } from '../../local/embedded/dynamodb/database.ts';
import { isServiceError } from '../../local/embedded/dynamodb/errors.ts';
import { createTables } from '../../local/embedded/tables.ts';
import type { ExternalStores } from '../../local/settings.ts';
import { addConflicts, externalDatabase, externalStores } from './external-stores.ts';

/** Names of the tables: their ids. */
export const TABLES = Object.fromEntries(Object.keys(tables).map((id) => [id, id])) as { readonly [Id in TableId]: Id };

export interface EmbeddedDynamo {
  readonly client: DynamoDBDocumentClient;
  readonly database: DynamoDatabase;
  /** A further client, which the caller destroys. */
  newClient(): DynamoDBDocumentClient;
  /** Items of a table whose partition key starts with `prefix`. */
  items(table: TableId, prefix?: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/**
 * The embedded DynamoDB in memory, with the service's tables, behind the real SDK client. Requests do not go over a socket, which
 * would take half of the time: that is for tests of the database's server, and of services.
 */
export async function startEmbeddedDynamo(): Promise<EmbeddedDynamo> {
  const database = externalStores ? await emptyExternal(externalStores) : await openDynamoDatabase();
  await createTables(
    database,
    Object.fromEntries(Object.entries(tables).map(([id, { environment }]) => [environment, id])),
  );
  const newClient = () => {
    if (externalStores === undefined)
      return newDynamoClient({
        region: 'ap-northeast-2',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        signer: { sign: async (request) => request },
        requestHandler: requestsTo(database),
      });
    const external = newDynamoClient(clientConfig(externalStores));
    addConflicts(external);
    return external;
  };
  const client = newClient();
  return {
    client,
    database,
    newClient,
    // Not by the client: a table has what all tests of a file have left there, and some of them ask hundreds of times.
    async items(table, prefix = '') {
      const ofPrefix = {
        FilterExpression: 'begins_with(pk, :prefix)',
        ExpressionAttributeValues: { ':prefix': { S: prefix } },
      };
      const found: Record<string, unknown>[] = [];
      let ExclusiveStartKey: unknown;
      do {
        const page = await database.execute('Scan', {
          TableName: TABLES[table],
          ...(prefix !== '' && ofPrefix),
          ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
        });
        found.push(...(page.Items as Record<string, AttributeValue>[]).map((item) => unmarshall(item)));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      return found;
    },
    async stop() {
      client.destroy();
      await database.close();
    },
  };
}

function clientConfig({ dynamodb: endpoint, region, ...credentials }: ExternalStores) {
  return { endpoint, region, credentials };
}

/** An external database without the tables of an earlier file. */
async function emptyExternal(stores: ExternalStores): Promise<DynamoDatabase> {
  const database = externalDatabase(stores);
  for (const TableName of Object.keys(tables)) {
    await database.execute('DeleteTable', { TableName }).catch(() => undefined);
    while (await database.execute('DescribeTable', { TableName }).catch(() => null)) await sleep(100);
  }
  return { ...database, removeExpired: notHere, pruneTokens: notHere, compact: notHere, close: async () => undefined };
}

const notHere = () => Promise.reject(new Error('An external store does this by itself.'));

/** Answers requests as the database's server does. */
function requestsTo(database: DynamoDatabase) {
  const answer = async (operation: string, body: string) => {
    try {
      return { statusCode: 200, output: await database.execute(operation, JSON.parse(body)) };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { statusCode: error.statusCode, output: error.body };
    }
  };
  return {
    async handle({ headers, body }: { readonly headers: Record<string, string>; readonly body: Uint8Array }) {
      // Calls of different callers interleave, as over a socket.
      await setImmediate();
      const [, operation = ''] = (headers['x-amz-target'] ?? '').split('.');
      const { statusCode, output } = await answer(operation, new TextDecoder().decode(body));
      return { response: { statusCode, headers: {}, body: Buffer.from(JSON.stringify(output)) } };
    },
  };
}

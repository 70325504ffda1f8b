import * as dynamodb from '@aws-sdk/client-dynamodb';
import type { DynamoDatabase } from '../../local/embedded/dynamodb/database.ts';
import { DynamoDbError } from '../../local/embedded/dynamodb/errors.ts';
import { type ExternalStores, readSettings } from '../../local/settings.ts';

/**
 * The stores that suites run against instead of the embedded ones, from the variables of an on-premises service: `STORES=external`. For
 * choosing stores; docs/on-premises.md has the results.
 */
export const externalStores: ExternalStores | undefined = readSettings(process.env).stores;

type Call = Pick<DynamoDatabase, 'execute' | 'conflictNextTransactions'>;

let conflicts = 0;

/** Answers transactions as a busy table does, as often as tests want; the store itself does not see these. */
export function addConflicts(client: Pick<dynamodb.DynamoDBClient, 'middlewareStack'>): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (conflicts === 0 || !commandName.startsWith('TransactWrite')) return next(args);
        conflicts -= 1;
        throw new dynamodb.TransactionCanceledException({
          message: 'Transaction cancelled [TransactionConflict]',
          $metadata: {},
          CancellationReasons: [{ Code: 'TransactionConflict' }],
        });
      },
    { step: 'initialize' },
  );
}

/** The calls of the embedded database, sent to an external one. */
export function externalDatabase({ dynamodb: endpoint, region, ...credentials }: ExternalStores): Call {
  const client = new dynamodb.DynamoDBClient({ endpoint, region, credentials });
  const commands = dynamodb as unknown as Record<string, new (input: unknown) => dynamodb.ListTablesCommand>;
  return {
    async execute(operation, input) {
      try {
        return { ...(await client.send(new commands[`${operation}Command`]!(input))) };
      } catch (error) {
        const { name, message } = error as Error;
        throw new DynamoDbError(`com.amazonaws.dynamodb.v20120810#${name}`, message);
      }
    },
    conflictNextTransactions(count) {
      conflicts = count;
    },
  };
}

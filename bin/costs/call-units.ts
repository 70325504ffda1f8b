/** The billed units of one AWS call. */
export interface CallUnits {
  /** Of the price list: `dynamodb`, `s3-put`, `s3-get`, `sqs`, `sqs-grouped`, `kms`, `secrets`, `lambda`, `sockets`. */
  readonly service: string;
  readonly operation: string;
  /** Of DynamoDB: read and write request units. */
  readonly reads: number;
  readonly writes: number;
  /** Calls that it counts as. */
  readonly requests: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** @param client and @param command names of the classes of the SDK. */
export function unitsOf(client: string, command: string, input: object, output: object): CallUnits {
  const operation = command.replace(/Command$/, '');
  const other = (service: string, requests = 1): CallUnits => ({ service, operation, reads: 0, writes: 0, requests });
  switch (client) {
    case 'DynamoDBClient':
      return { ...other('dynamodb'), ...capacityOf(operation, input as Fields, output as Fields) };
    case 'S3Client':
      // Deletions are free.
      if (operation.startsWith('Delete')) return other('s3-get', 0);
      return other(/^(Put|Copy|Create|Upload|Complete|List)/.test(operation) ? 's3-put' : 's3-get');
    case 'SQSClient': {
      const { MessageGroupId, Entries } = input as { MessageGroupId?: string; Entries?: { MessageGroupId?: string }[] };
      const isGrouped = MessageGroupId !== undefined || Entries?.some((entry) => entry.MessageGroupId !== undefined);
      return other(isGrouped ? 'sqs-grouped' : 'sqs');
    }
    case 'KMSClient':
      return other('kms');
    case 'SecretsManagerClient':
      return other('secrets');
    case 'LambdaClient':
      return other('lambda');
    case 'ApiGatewayManagementApiClient':
      return other('sockets', operation === 'PostToConnection' ? 1 : 0);
    default:
      return other(client);
  }
}

const READ_BYTES = 4 * 1024;
const WRITE_BYTES = 1024;

/** Sizes are those of the items as JSON, a little above what DynamoDB counts. */
function capacityOf(operation: string, input: Fields, output: Fields): Pick<CallUnits, 'reads' | 'writes'> {
  const perRead = input.ConsistentRead === true ? 1 : 0.5;
  const read = (size: number, factor = perRead) => ({ reads: units(size, READ_BYTES) * factor, writes: 0 });
  const write = (writes: number) => ({ reads: 0, writes });
  switch (operation) {
    case 'GetItem':
      return read(sizeOf(output.Item));
    case 'Query':
    case 'Scan':
      return read(sizeOf(output.Items));
    case 'BatchGetItem': {
      const requests = (input.RequestItems ?? {}) as Readonly<
        Record<string, { Keys: unknown[]; ConsistentRead?: boolean }>
      >;
      const responses = (output.Responses ?? {}) as Readonly<Record<string, unknown[]>>;
      const reads = Object.entries(requests).map(([table, { Keys, ConsistentRead }]) => {
        const found = (responses[table] ?? []).map((item) => units(sizeOf(item), READ_BYTES));
        return (ConsistentRead ? 1 : 0.5) * (sum(found) + (Keys.length - found.length));
      });
      return { reads: sum(reads), writes: 0 };
    }
    case 'TransactGetItems':
      return {
        reads: 2 * sum(((output.Responses ?? []) as unknown[]).map((each) => units(sizeOf(each), READ_BYTES))),
        writes: 0,
      };
    case 'BatchWriteItem': {
      const requests = Object.values((input.RequestItems ?? {}) as Readonly<Record<string, Fields[]>>).flat();
      return write(sum(requests.map((request) => units(sizeOf(request), WRITE_BYTES))));
    }
    case 'TransactWriteItems':
      return write(
        2 *
          sum(
            ((input.TransactItems ?? []) as Fields[]).map((part) =>
              units(Math.max(...Object.values(part).map(writtenSize)), WRITE_BYTES),
            ),
          ),
      );
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return write(units(Math.max(writtenSize(input), sizeOf(output.Attributes)), WRITE_BYTES));
    default:
      return { reads: 0, writes: 0 };
  }
}

/** Of an update, the values: of the rest of the item is not known more than that it is one of the small ones. */
function writtenSize(part: unknown): number {
  const { Item, ExpressionAttributeValues } = (part ?? {}) as Fields;
  return Math.max(sizeOf(Item), sizeOf(ExpressionAttributeValues));
}

function sizeOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return sum(value.map(sizeOf));
  if (typeof value === 'object')
    return sum(Object.entries(value).map(([name, member]) => name.length + sizeOf(member)));
  return String(value).length;
}

const units = (size: number, unit: number) => Math.max(1, Math.ceil(size / unit));
const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

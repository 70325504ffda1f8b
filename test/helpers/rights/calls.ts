/** The rights that an SDK call needs: one entry for each action and resource, as IAM sees it. */
export interface NeededRight {
  readonly action: string;
  readonly resource: {
    readonly kind: 'table' | 'bucket' | 'queue' | 'function' | 'connection' | 'secret' | 'key' | 'identity';
    readonly name: string;
    readonly key?: string;
  };
  readonly leadingKeys: readonly string[] | null;
  /** Other keys of conditions. */
  readonly context?: Readonly<Record<string, string>>;
}

type Input = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

/** @param command the name of a command's class: `GetItemCommand`. @returns null for calls that IAM does not see. */
export function neededRights(client: string, command: string, input: Input): readonly NeededRight[] {
  switch (client) {
    case 'DynamoDBClient':
      return tableRights(command.replace(/Command$/, ''), input);
    case 'S3Client':
      return objectRights(command.replace(/Command$/, ''), input);
    case 'SQSClient':
      return queueRights(command.replace(/Command$/, ''), input);
    case 'ApiGatewayManagementApiClient':
      return [
        {
          action: 'execute-api:ManageConnections',
          resource: {
            kind: 'connection',
            name: command.startsWith('Post') ? 'POST' : command.startsWith('Delete') ? 'DELETE' : 'GET',
          },
          leadingKeys: null,
        },
      ];
    case 'LambdaClient':
      if (command !== 'InvokeCommand') throw new Error(`The guard of rights does not know Lambda's ${command}.`);
      return [
        {
          action: 'lambda:InvokeFunction',
          resource: { kind: 'function', name: String(input.FunctionName) },
          leadingKeys: null,
        },
      ];
    case 'SecretsManagerClient':
      return [
        {
          action: `secretsmanager:${command.replace(/Command$/, '')}`,
          resource: { kind: 'secret', name: String(input.SecretId) },
          leadingKeys: null,
        },
      ];
    case 'KMSClient':
      return [
        {
          action: `kms:${command.replace(/Command$/, '')}`,
          resource: { kind: 'key', name: String(input.KeyId) },
          leadingKeys: null,
        },
      ];
    case 'SESv2Client':
      return [
        {
          // A message that is already composed needs this one too.
          ...{ action: 'ses:SendRawEmail', resource: { kind: 'identity', name: domainOf(input) }, leadingKeys: null },
          context: { 'ses:FromAddress': String(input.FromEmailAddress) },
        },
      ];
    default:
      throw new Error(`The guard of rights does not know ${client}: teach it what ${command} needs.`);
  }
}

function domainOf({ FromEmailAddress }: Input): string {
  return String(FromEmailAddress).split('@')[1] ?? '';
}

function tableRights(operation: string, input: Input): NeededRight[] {
  const right = (action: string, table: unknown, keys: readonly string[] | null): NeededRight => ({
    action: `dynamodb:${action}`,
    resource: { kind: 'table', name: String(table) },
    leadingKeys: keys,
  });
  switch (operation) {
    case 'GetItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [right(operation, input.TableName, [partitionOf(input.Key as Item)])];
    case 'PutItem':
      return [right(operation, input.TableName, [partitionOf(input.Item as Item)])];
    case 'Query':
      return [right(operation, input.TableName, queriedPartitions(input))];
    case 'Scan':
      return [right(operation, input.TableName, null)];
    case 'BatchGetItem':
      return Object.entries(input.RequestItems as Record<string, { Keys: Item[] }>).map(([table, { Keys }]) =>
        right(operation, table, Keys.map(partitionOf)),
      );
    case 'BatchWriteItem':
      return Object.entries(
        input.RequestItems as Record<string, { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>,
      ).map(([table, writes]) =>
        right(
          operation,
          table,
          writes.map(({ PutRequest, DeleteRequest }) => partitionOf(PutRequest?.Item ?? DeleteRequest!.Key)),
        ),
      );
    case 'TransactWriteItems':
    case 'TransactGetItems':
      // IAM has no right for a transaction: each of its items needs the right of the single call.
      return (input.TransactItems as Record<string, { TableName: string; Key?: Item; Item?: Item }>[]).flatMap((item) =>
        Object.entries(item).map(([kind, { TableName, Key, Item }]) =>
          right(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, TableName, [
            partitionOf(Key ?? Item!),
          ]),
        ),
      );
    default:
      throw new Error(`The guard of rights does not know DynamoDB's ${operation}.`);
  }
}

/** Of a key or an item, plain or in DynamoDB's own form. */
function partitionOf(item: Item): string {
  const { pk } = item;
  return typeof pk === 'string' ? pk : (pk as { S: string }).S;
}

function queriedPartitions({ KeyConditionExpression, ExpressionAttributeValues }: Input): string[] {
  const placeholder = /\bpk\s*=\s*(:\w+)/.exec(String(KeyConditionExpression))?.[1];
  if (placeholder === undefined)
    throw new Error(`The guard of rights finds no partition in ${KeyConditionExpression}.`);
  return [partitionOf({ pk: (ExpressionAttributeValues as Item)[placeholder] })];
}

function objectRights(operation: string, { Bucket, Key, Delete }: Input): NeededRight[] {
  const right = (action: string, key: unknown): NeededRight => ({
    action: `s3:${action}`,
    resource: { kind: 'bucket', name: String(Bucket), ...(key !== null && { key: String(key) }) },
    leadingKeys: null,
  });
  switch (operation) {
    case 'GetObject':
    case 'PutObject':
    case 'DeleteObject':
      return [right(operation, Key)];
    case 'HeadObject':
      return [right('GetObject', Key)];
    case 'ListObjectsV2':
      return [right('ListBucket', null)];
    case 'DeleteObjects':
      return (Delete as { Objects: { Key: string }[] }).Objects.map((object) => right('DeleteObject', object.Key));
    default:
      throw new Error(`The guard of rights does not know S3's ${operation}.`);
  }
}

function queueRights(operation: string, { QueueUrl }: Input): NeededRight[] {
  // Sending, deleting and putting off many at once takes the right for one.
  const action = `sqs:${operation.replace(/Batch$/, '')}`;
  return [{ action, resource: { kind: 'queue', name: String(QueueUrl) }, leadingKeys: null }];
}

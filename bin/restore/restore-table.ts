import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  ConditionalCheckFailedException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { TableId } from '../../functions/shared/resources.ts';
import {
  CannotRestore,
  type Item,
  isCopied,
  type RestorePlan,
  type RestoreRequest,
  type RunningTable,
} from './plan.ts';

export interface RestorePorts {
  readonly stacks: CloudFormationClient;
  readonly tables: DynamoDBClient;
  readonly items: DynamoDBDocumentClient;
  readonly now: () => number;
  /** Waits before the restored table is asked for again. */
  readonly pause: () => Promise<unknown>;
}

/** The running table of a deployment. @throws CannotRestore */
export async function runningTable(stage: string, table: TableId, ports: RestorePorts): Promise<RunningTable> {
  const name = await tableName(`tripod-${stage}-data`, table, ports.stacks);
  const { ContinuousBackupsDescription } = await ports.tables.send(
    new DescribeContinuousBackupsCommand({ TableName: name }),
  );
  const { EarliestRestorableDateTime: from, LatestRestorableDateTime: to } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  return { name, window: from && to ? { fromMs: from.getTime(), toMs: to.getTime() } : null };
}

async function tableName(StackName: string, table: TableId, client: CloudFormationClient): Promise<string> {
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId } of StackResourceSummaries)
      if (ResourceType === 'AWS::DynamoDB::GlobalTable' && LogicalResourceId.startsWith(`${table}table`))
        return PhysicalResourceId!;
  throw new CannotRestore(`The stack ${StackName} has no table of ${table}.`);
}

/** Makes the new table and waits until it can be read. A second run with the same time continues with the same table. */
export async function restoreTable(
  { source, target, atMs }: RestorePlan,
  { tables, pause }: RestorePorts,
): Promise<void> {
  if ((await statusOf(target, tables)) === null)
    await tables.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        RestoreDateTime: new Date(atMs),
      }),
    );
  while ((await statusOf(target, tables)) !== 'ACTIVE') await pause();
}

async function statusOf(TableName: string, client: DynamoDBClient): Promise<string | null> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus ?? null;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return null;
    throw error;
  }
}

/** Copies items of the restored table into the running one. */
export async function copyItems(
  { source, target }: RestorePlan,
  request: RestoreRequest,
  { items, now }: RestorePorts,
): Promise<{ readonly read: number; readonly copied: number }> {
  let read = 0;
  let copied = 0;
  for await (const { Items = [] } of paginateScan({ client: items }, { TableName: target }))
    for (const item of Items as Item[]) {
      read += 1;
      if (isCopied(item, request, now()) && (await put(item, source, request, items))) copied += 1;
    }
  return { read, copied };
}

async function put(
  Item: Item,
  TableName: string,
  { copying }: RestoreRequest,
  client: DynamoDBDocumentClient,
): Promise<boolean> {
  const onlyMissing = copying === 'missing' && { ConditionExpression: 'attribute_not_exists(pk)' };
  try {
    await client.send(new PutCommand({ TableName, Item, ...onlyMissing }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

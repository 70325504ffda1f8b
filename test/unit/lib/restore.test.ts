import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import {
  ConditionalCheckFailedException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CannotRestore, planRestore, type RestoreRequest } from '../../../bin/restore/plan.ts';
import { copyItems, type RestorePorts, restoreTable, runningTable } from '../../../bin/restore/restore-table.ts';

const AT_MS = Date.parse('2026-11-27T09:30:00Z');
const window = { fromMs: AT_MS - 86_400_000, toMs: AT_MS + 60_000 };
const running = { name: 'tripod-prod-data-extractionstable-1', window };
const request: RestoreRequest = { table: 'extractions', atMs: AT_MS, copying: 'missing', workspaceId: null };

const stacks = mockClient(CloudFormationClient);
const tables = mockClient(DynamoDBClient);
const items = mockClient(DynamoDBDocumentClient);
const client = new DynamoDBClient({ region: 'ap-northeast-2' });
let pauses = 0;
const ports: RestorePorts = {
  stacks: new CloudFormationClient({ region: 'ap-northeast-2' }),
  tables: client,
  items: DynamoDBDocumentClient.from(client),
  now: () => AT_MS,
  pause: async () => {
    pauses += 1;
  },
};
// Other files of this process use the real clients.
afterAll(() => {
  for (const mocked of [stacks, tables, items]) mocked.restore();
});

beforeEach(() => {
  for (const mock of [stacks, tables, items]) mock.reset();
  pauses = 0;
});

describe('the plan of a restore', () => {
  it('names the new table after the time, and says what happens to the running one', () => {
    const plan = planRestore(request, running);
    expect(plan.target).toBe('tripod-prod-data-extractionstable-1-at-20261127093000');
    expect(plan.steps[1]).toContain('No item of tripod-prod-data-extractionstable-1 changes.');
    expect(planRestore({ ...request, copying: 'nothing' }, running).steps[1]).toContain('Nothing is copied');
  });

  it.each([
    ['a time before recovery started', { atMs: window.fromMs - 1 }, running],
    ['a time that has not been saved yet', { atMs: window.toMs + 1 }, running],
    ['a table without recovery', {}, { ...running, window: null }],
    ['earlier balances of all workspaces', { table: 'accounts', copying: 'changed' }, running],
  ] as const)('refuses %s', (_, change, table) => {
    expect(() => planRestore({ ...request, ...change }, table)).toThrow(CannotRestore);
  });

  it('lets one workspace go back to its balance, and warns that charges since then are lost', () => {
    const one = { ...request, table: 'accounts', copying: 'changed', workspaceId: 'ws_1' } as const;
    expect(planRestore(one, running).steps.join(' ')).toMatch(/workspace ws_1 .* are lost\. Stop calls/);
  });
});

it('a restore finds the running table by its stack, with the times that it can go back to', async () => {
  const table = (LogicalResourceId: string, PhysicalResourceId: string) => ({
    ...{ LogicalResourceId, PhysicalResourceId, ResourceType: 'AWS::DynamoDB::GlobalTable' },
    ...{ LastUpdatedTimestamp: new Date(0), ResourceStatus: 'CREATE_COMPLETE' as const },
  });
  stacks
    .on(ListStackResourcesCommand, { StackName: 'tripod-prod-data' })
    .resolves({ StackResourceSummaries: [table('executionstableTable1', 'e'), table('extractionstableTable2', 'x')] });
  tables.on(DescribeContinuousBackupsCommand, { TableName: 'x' }).resolves({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: {
        EarliestRestorableDateTime: new Date(window.fromMs),
        LatestRestorableDateTime: new Date(window.toMs),
      },
    },
  });
  expect(await runningTable('prod', 'extractions', ports)).toEqual({ name: 'x', window });
  await expect(runningTable('prod', 'usage', ports)).rejects.toThrow('has no table of usage');
});

it('a restore waits for the new table, and a second run continues with it', async () => {
  const plan = planRestore(request, running);
  const gone = new ResourceNotFoundException({ message: 'no', $metadata: {} });
  const status = (TableStatus: 'CREATING' | 'ACTIVE') => ({ Table: { TableStatus } });
  tables.on(DescribeTableCommand).rejectsOnce(gone).resolvesOnce(status('CREATING')).resolves(status('ACTIVE'));
  await restoreTable(plan, ports);
  await restoreTable(plan, ports);
  const restored = tables.commandCalls(RestoreTableToPointInTimeCommand);
  expect(restored).toHaveLength(1);
  expect(restored[0]!.args[0].input).toEqual({
    SourceTableName: running.name,
    TargetTableName: plan.target,
    RestoreDateTime: new Date(AT_MS),
  });
  expect(pauses).toBe(1);
});

describe('the copy into the running table', () => {
  const restored = [
    { pk: 'WORKSPACE#ws_1#JOBS', sk: 'a' },
    { pk: 'WORKSPACE#ws_2', sk: 'b' },
    { pk: 'WORKSPACE#ws_1', sk: 'expired', expiresAt: AT_MS / 1000 - 1 },
  ];
  const copy = async (change: Partial<RestoreRequest>) => {
    items.on(ScanCommand).resolves({ Items: restored });
    const counts = await copyItems(planRestore(request, running), { ...request, ...change }, ports);
    return { counts, puts: items.commandCalls(PutCommand).map(({ args }) => args[0].input) };
  };

  it('leaves items that the running table has, unless changed ones are wanted', async () => {
    items
      .on(PutCommand)
      .rejectsOnce(new ConditionalCheckFailedException({ message: 'there', $metadata: {} }))
      .resolves({});
    const { counts, puts } = await copy({});
    expect(counts).toEqual({ read: 3, copied: 1 });
    expect(puts).toEqual(
      restored.slice(0, 2).map((Item) => ({
        ...{ TableName: running.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      })),
    );
    items.reset();
    const changed = await copy({ copying: 'changed' });
    expect(changed.puts.some(({ ConditionExpression }) => ConditionExpression !== undefined)).toBe(false);
  });

  it('takes items of one workspace only where it is named, and none that has expired', async () => {
    const { puts } = await copy({ workspaceId: 'ws_1' });
    expect(puts.map(({ Item }) => Item)).toEqual([restored[0]]);
  });
});

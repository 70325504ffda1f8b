import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { tables } from '../../functions/shared/resources.ts';
import { workers } from '../../functions/workers.ts';
import { neededRights } from '../helpers/rights/calls.ts';
import { functionRights } from '../helpers/rights/function-rights.ts';
import { refusalOf } from '../helpers/rights/guard.ts';
import { isAllowed, type Statement } from '../helpers/rights/policy.ts';
import type { FunctionRights } from '../helpers/rights/rights.ts';

let rights: ReadonlyMap<string, FunctionRights>;
beforeAll(async () => {
  rights = await functionRights();
  for (const { environment } of Object.values(tables)) process.env[environment] = `local-${environment}`;
  process.env.UPLOADS_BUCKET = 'local-uploads';
  process.env.EXECUTIONS_BUCKET = 'local-executions';
  process.env.BATCH_IMAGES_QUEUE_URL = 'http://127.0.0.1/local-images';
});

const refusal = (id: string, client: string, command: string, input: Record<string, unknown>) => {
  const [needed] = neededRights(client, command, input);
  return refusalOf(id, rights.get(id), needed!);
};
const accounts = { TableName: 'local-ACCOUNTS_TABLE' };

describe('the rights that functions have on AWS', () => {
  it('are known for every route and worker', () => {
    expect([...rights.keys()].sort()).toEqual([...routes, ...workers].map(({ id }) => id).sort());
  });

  it('hold for keys of callers alone where a function only checks them', () => {
    const id = 'extraction.create-upload';
    const key = { ...accounts, Key: { pk: 'API_KEY#1', sk: 'API_KEY' } };
    expect(refusal(id, 'DynamoDBClient', 'UpdateItemCommand', key)).toBeNull();
    const balance = { ...accounts, Key: { pk: { S: 'WORKSPACE#1' }, sk: { S: 'ACCOUNT' } } };
    expect(refusal(id, 'DynamoDBClient', 'UpdateItemCommand', balance)).toBe(
      'extraction.create-upload may not dynamodb:UpdateItem on table local-ACCOUNTS_TABLE (partition WORKSPACE#1)',
    );
  });

  it('allow a transaction by the rights to its items', () => {
    const write = (id: string) =>
      refusal(id, 'DynamoDBClient', 'TransactWriteItemsCommand', {
        TransactItems: [{ Put: { ...accounts, Item: { pk: 'WORKSPACE#1', sk: 'ACCOUNT' } } }],
      });
    expect(write('accounts.top-up')).toBeNull();
    expect(write('accounts.get-balance')).toContain('may not dynamodb:PutItem');
  });

  it('are refused where the action is missing, or the setting', () => {
    const put = { RequestItems: { 'local-EXTRACTIONS_TABLE': [{ PutRequest: { Item: { pk: 'x', sk: 'y' } } }] } };
    expect(refusal('extraction.extract-batch-async', 'DynamoDBClient', 'BatchWriteItemCommand', put)).toBeNull();
    expect(refusal('extraction.get-job', 'DynamoDBClient', 'BatchWriteItemCommand', put)).toContain('may not');
    expect(refusal('accounts.top-up', 'DynamoDBClient', 'BatchWriteItemCommand', put)).toContain(
      'has no setting on AWS',
    );
    const scan = { TableName: 'local-EXTRACTIONS_TABLE' };
    expect(refusal('extraction.extract', 'DynamoDBClient', 'ScanCommand', scan)).toContain('may not dynamodb:Scan');
  });

  it('cover the addresses that a function signs, which clients use with its rights', () => {
    const put = (Bucket: string) => ['S3Client', 'PutObjectCommand', { Bucket, Key: 'ws_1/uploads/upl_1' }] as const;
    expect(refusal('sandbox.create-upload', ...put('local-executions'))).toBeNull();
    expect(refusal('extraction.create-upload', ...put('local-uploads'))).toBeNull();
    expect(refusal('sandbox.create-upload', ...put('local-uploads'))).not.toBeNull();
  });

  it('know objects and queues', () => {
    const object = { Bucket: 'local-uploads', Key: 'ws/1' };
    expect(refusal('extraction.extract', 'S3Client', 'HeadObjectCommand', object)).toBeNull();
    expect(refusal('extraction.process-image', 'S3Client', 'PutObjectCommand', object)).toContain(
      'may not s3:PutObject',
    );
    const message = { QueueUrl: 'http://127.0.0.1/local-images' };
    expect(refusal('extraction.reconcile-jobs', 'SQSClient', 'SendMessageBatchCommand', message)).toBeNull();
    expect(refusal('extraction.fail-image', 'SQSClient', 'SendMessageCommand', message)).toContain('sqs:SendMessage');
  });
});

it('the rights of functions know secrets: who signs reads the key, and the rotation alone replaces it', () => {
  process.env.SIGNING_KEY_SECRET = 'local-signing-key';
  const secret = { SecretId: 'local-signing-key' };
  const asked = (id: string, command: string) => refusal(id, 'SecretsManagerClient', `${command}Command`, secret);
  expect(asked('accounts.login', 'GetSecretValue')).toBeNull();
  expect(asked('accounts.rotate-signing-key', 'PutSecretValue')).toBeNull();
  expect(asked('accounts.login', 'PutSecretValue')).toContain('may not secretsmanager:PutSecretValue');
  expect(asked('accounts.get-me', 'GetSecretValue')).toContain('has no setting on AWS');
});

describe('the evaluator of policies', () => {
  const statement = (more: Partial<Statement>): Statement => ({
    effect: 'Allow',
    actions: ['s3:Get*'],
    resources: ['arn:aws:s3:::a/*'],
    conditions: {},
    ...more,
  });
  const get = { action: 's3:GetObject', resource: 'arn:aws:s3:::a/b', leadingKeys: null };

  it('needs a statement that allows, and none that denies', () => {
    expect(isAllowed([], get)).toBe(false);
    expect(isAllowed([statement({})], get)).toBe(true);
    expect(isAllowed([statement({}), statement({ effect: 'Deny', actions: ['*'] })], get)).toBe(false);
    expect(isAllowed([statement({ resources: ['arn:aws:s3:::a'] })], get)).toBe(false);
  });

  it('takes no condition for granted that it does not know', () => {
    const conditions = { StringEquals: { 'aws:SourceVpc': 'vpc-1' } };
    expect(() => isAllowed([statement({ conditions })], get)).toThrow('knows no StringEquals of aws:SourceVpc');
  });
});

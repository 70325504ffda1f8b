import { Arn } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { API_KEY_PARTITIONS, OUTBOX_PARTITION } from '../functions/adapters/dynamodb/keys.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { buckets, queues, tables } from '../functions/shared/resources.ts';
import { bedrockModelArns } from './bedrock-model-arns.ts';
import { type Config, readersOf } from './config.ts';
import type { DataStack } from './stacks/data-stack.ts';

const READ_TABLE = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'dynamodb:ConditionCheckItem'];
/** A transaction is allowed by the rights for the items that it holds. */
const WRITE_TABLE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];

/** What an event source does with a queue, on behalf of its function. */
const CONSUME_QUEUE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Finds the key, and notes when it was last used. */
const CHECK_API_KEY = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];

/** Where the OCR layer has its models once it is mounted. */
const OCR_DIR = '/opt/ocr';

export interface GrantedAccess {
  readonly statements: readonly PolicyStatement[];
  /** The settings that the function needs to use what it may. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Exactly what a route's `access` and `auth` imply, or a worker's: the rights, and the settings that go with them. */
export function grantAccess(
  { access, auth }: Pick<Route, 'access'> & Partial<Pick<Route, 'auth'>>,
  data: DataStack,
  config: Config,
): GrantedAccess {
  const statements: PolicyStatement[] = [];
  const environment: Record<string, string> = {};
  const allow = (actions: string[], resource: string) =>
    statements.push(new PolicyStatement({ actions, resources: [resource] }));

  if (auth?.includes('api-key')) {
    statements.push(
      new PolicyStatement({
        actions: CHECK_API_KEY,
        resources: [data.tables.accounts.tableArn],
        // Keys only: noting the use of one must not be a right to write balances.
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${API_KEY_PARTITIONS}*`] } },
      }),
    );
    environment[tables.accounts.environment] = data.tables.accounts.tableName;
  }
  for (const [id, right] of entriesOf(access.tables ?? {})) {
    allow(right === 'read' ? READ_TABLE : [...READ_TABLE, ...WRITE_TABLE], data.tables[id].tableArn);
    environment[tables[id].environment] = data.tables[id].tableName;
  }
  if (access.uploads) {
    const actions = access.uploads === 'read' ? ['s3:GetObject'] : ['s3:GetObject', 's3:PutObject'];
    allow(actions, data.buckets.uploads.arnForObjects('*'));
    environment[buckets.uploads.environment] = data.buckets.uploads.bucketName;
  }
  if (access.executions) {
    const actions = ['s3:GetObject', ...(access.executions === 'read' ? [] : ['s3:PutObject', 's3:DeleteObject'])];
    allow(actions, data.buckets.executions.arnForObjects('*'));
    environment[buckets.executions.environment] = data.buckets.executions.bucketName;
  }
  for (const [id, right] of entriesOf(access.queues ?? {})) {
    const { queue, deadLetters } = data.queues[id];
    if (right === 'consume-dead-letters') {
      allow(CONSUME_QUEUE, deadLetters.queueArn);
      continue;
    }
    allow(right === 'send' ? ['sqs:SendMessage'] : [...CONSUME_QUEUE, 'sqs:ChangeMessageVisibility'], queue.queueArn);
    environment[queues[id].environment] = queue.queueUrl;
  }
  if (access.outbox)
    statements.push(
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
        resources: [data.tables.accounts.tableArn],
        // Beside the balances lie the mails that wait; the right is for those.
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [OUTBOX_PARTITION] } },
      }),
    );
  if (access.mail && config.mailFrom && config.mailIdentity) {
    statements.push(
      new PolicyStatement({
        // A message that is already composed needs the second, in the newer API too.
        actions: ['ses:SendEmail', 'ses:SendRawEmail'],
        resources: [Arn.format({ service: 'ses', resource: 'identity', resourceName: config.mailIdentity }, data)],
        conditions: { StringEquals: { 'ses:FromAddress': config.mailFrom } },
      }),
    );
    environment.MAIL_FROM = config.mailFrom;
  }
  if (access.master) {
    statements.push(...data.master.readStatements());
    environment.DRUG_MASTER = data.master.url;
  }
  // Textract knows no resources.
  if (access.textract && readersOf(config).has('textract')) allow(['textract:AnalyzeDocument'], '*');
  if (access.ocr) {
    environment.READER = config.reader;
    environment.OCR_DIR = OCR_DIR;
    if (config.bedrockModel !== undefined && readersOf(config).has('bedrock')) {
      const resources = [...bedrockModelArns(config.bedrockModel, data)];
      statements.push(new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources }));
      environment.BEDROCK_MODEL = config.bedrockModel;
    }
  }
  return { statements, environment };
}

function entriesOf<Key extends string, Value>(record: Partial<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

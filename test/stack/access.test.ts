import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import type { Access } from '../../functions/shared/access.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { type BucketId, buckets, queues, type TableId, tables } from '../../functions/shared/resources.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { workers } from '../../functions/workers.ts';
import { functionOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let stack: Synthesized;
beforeAll(() => {
  // With everything that a deployment can have.
  stack = synthesize({ sandbox: 'fargate', reader: 'textract' });
});

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const KEY_CHECK = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];
const READ = ['dynamodb:BatchGetItem', 'dynamodb:ConditionCheckItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const READ_WRITE = [
  ...READ,
  ...['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map((name) => `dynamodb:${name}`),
];

const CONSUME = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
const HEAR_CHANGES = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (name) => `dynamodb:${name}`,
);

const NETWORK_INTERFACES = [
  ...['AssignPrivateIpAddresses', 'CreateNetworkInterface', 'DeleteNetworkInterface'],
  ...['DescribeNetworkInterfaces', 'DescribeSubnets', 'UnassignPrivateIpAddresses'],
].map((name) => `ec2:${name}`);

/** `<table, bucket or queue> <action>` of all that a role may do. */
function rightsOf(synthesized: Synthesized, entry: Route | Worker): string[] {
  const { part, role, roleId } = functionOf(synthesized, entry)!;
  expect(role).not.toHaveProperty('ManagedPolicyArns');
  const elsewhere = Object.values(resourcesOf(synthesized.template(part), 'AWS::IAM::Policy'));
  expect(elsewhere.filter(({ Properties: { Roles } }) => JSON.stringify(Roles).includes(roleId))).toEqual([]);

  const policies = role.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  const rights = policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Effect, Action, Resource }) => {
      expect(Effect).toBe('Allow');
      return [Resource].flat().flatMap((resource) => [Action].flat().map((action) => `${nameOf(resource)} ${action}`));
    }),
  );
  return [...new Set(rights)].sort();
}

/** Plain words for a reference to a resource of either stack. */
function nameOf(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const json = JSON.stringify(resource);
  const suffix = /"(\/[^"]+)"/.exec(json)?.[1] ?? '';
  if (/"LogGroup\w+","Arn"/.test(json)) return 'log of the service';
  for (const [words, wanted] of [
    ['token', /^\{"Ref":"SandboxToken/],
    ['service', /"SandboxService\w+"/],
    ['tasks', /:task\/",\{"Ref":"SandboxCluster\w+"\},"\/\*"/],
  ] as const)
    if (wanted.test(json)) return `${words} of the runners`;
  if (/SecretsKey/.test(json)) return 'key of secrets';
  if (/SigningKeySecret/.test(json)) return 'signing key';
  if (/PaymentSecret/.test(json)) return 'payment secret';
  if (/:execute-api:.*:\*\/dev\/(DELETE|GET|POST)\/@connections\/\*/.test(json)) return 'connections of sockets';
  const invoked = /:function:([\w-]+)/.exec(json);
  if (invoked) return `function ${invoked[1]}`;
  const identity = /:identity\/[\w.]+/.exec(json);
  if (identity) return identity[0].slice(1);
  const name = /Att(\w+?)(?:table|bucket|queue)(Table|Bucket|Queue|DeadLetters)/.exec(json);
  if (!name) throw new Error(`Who is ${json}?`);
  const part = name[2] === 'DeadLetters' ? ' dead letters' : /StreamArn/.test(json) ? ' changes' : '';
  return `${name[1]!.replace(/^Master/, '')}${part}${suffix}`;
}

function expectedRights({ access, ...entry }: Route | Worker): string[] {
  const rights = ['log of the service logs:CreateLogStream', 'log of the service logs:PutLogEvents'];
  const allow = (resource: string, actions: readonly string[]) =>
    rights.push(...actions.map((action) => `${resource} ${action}`));
  if ('auth' in entry && entry.auth.includes('api-key')) allow('accounts', KEY_CHECK);
  if ('auth' in entry && !(entry as Partial<Route>).isUnlimited) allow('limits', ['dynamodb:UpdateItem']);
  if ('auth' in entry && (entry.auth.includes('jwt') || entry.auth.includes('cookie')))
    allow('accounts', ['dynamodb:BatchGetItem']);
  if ('auth' in entry && entry.auth.includes('jwt')) allow('accounts', ['dynamodb:GetItem']);
  if (access.payments === 'webhook') allow('payment secret', ['secretsmanager:GetSecretValue']);
  if (access.signing) allow('signing key', ['secretsmanager:GetSecretValue']);
  if (access.signing === 'rotate') allow('signing key', ['secretsmanager:PutSecretValue']);
  for (const [table, right] of Object.entries(access.tables ?? {}))
    allow(
      table,
      { add: ['dynamodb:UpdateItem'], read: READ, scan: [...READ, 'dynamodb:Scan'] }[right as 'add'] ?? READ_WRITE,
    );
  const ofUploads = {
    read: ['s3:GetObject'],
    remove: ['s3:DeleteObject'],
    'read-remove': ['s3:DeleteObject', 's3:GetObject'],
    'read-write': ['s3:GetObject', 's3:PutObject'],
    'read-write-remove': ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
  };
  if (access.uploads) allow('uploads/*', ofUploads[access.uploads]);
  if (access.exports) allow('exports/*', [access.exports === 'read' ? 's3:GetObject' : 's3:PutObject']);
  if (access.erasure) {
    for (const table of Object.keys(tables)) allow(table, ['dynamodb:BatchWriteItem', 'dynamodb:Scan']);
    for (const table of ['conversations', 'extractions', 'runs']) allow(table, ['dynamodb:UpdateItem']);
    for (const bucket of Object.keys(buckets)) {
      allow(`${bucket}/*`, ['s3:DeleteObject']);
      allow(bucket, ['s3:ListBucket']);
    }
  }
  if (access.executions)
    allow('executions/*', [
      's3:GetObject',
      ...(access.executions === 'read' ? [] : ['s3:DeleteObject', 's3:PutObject']),
    ]);
  if (access.tables?.runs)
    allow('runs/*', ['s3:GetObject', ...(access.tables.runs === 'read' ? [] : ['s3:PutObject'])]);
  if (access.knowledge)
    allow('knowledge/*', ['s3:GetObject', ...(access.knowledge === 'read' ? [] : ['s3:DeleteObject', 's3:PutObject'])]);
  if (access.sources) {
    allow('sources/*', ['s3:GetObject']);
    allow('sources', ['s3:ListBucket']);
  }
  if (access.formularies)
    allow('formularies/*', [
      's3:GetObject',
      ...(access.formularies === 'read' ? [] : ['s3:DeleteObject', 's3:PutObject']),
    ]);
  for (const [queue, right] of Object.entries(access.queues ?? {})) {
    const name = queue.replaceAll('-', '');
    if (right === 'send') allow(name, ['sqs:SendMessage']);
    if (right === 'consume' || right === 'consume-and-send') allow(name, [...CONSUME, 'sqs:ChangeMessageVisibility']);
    if (right === 'consume-and-send') allow(name, ['sqs:SendMessage']);
    if (right === 'consume-dead-letters') allow(`${name} dead letters`, CONSUME);
  }
  if (access.rateLimits) allow('limits', ['dynamodb:UpdateItem']);
  if (access.freePages) allow('limits', ['dynamodb:GetItem', 'dynamodb:UpdateItem']);
  if (access.tokenBudgets) {
    allow('accounts', ['dynamodb:GetItem', 'dynamodb:PutItem']);
    allow('limits', ['dynamodb:GetItem', 'dynamodb:UpdateItem']);
  }
  if (access.outbox === 'add') allow('accounts', ['dynamodb:PutItem']);
  if (access.outbox === 'deliver') {
    allow('accounts', ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem']);
    allow('accounts changes', HEAR_CHANGES);
  }
  if (access.mail) allow('identity/tripod.example', ['ses:SendEmail', 'ses:SendRawEmail']);
  if (access.master) {
    allow('master/drug-master.tsv.gz', ['s3:GetObject']);
    allow('master/shipped/drug-master.tsv.gz', ['s3:GetObject']);
    allow('master', ['s3:ListBucket']);
  }
  if (access.runners) {
    const ofTable = {
      languages: ['dynamodb:GetItem'],
      run: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      note: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      tend: ['dynamodb:Query', 'dynamodb:UpdateItem'],
    };
    allow('runners', ofTable[access.runners]);
    if (access.runners === 'run' || access.runners === 'note') {
      allow('token of the runners', ['secretsmanager:GetSecretValue']);
      allow('*', NETWORK_INTERFACES);
    }
    if (access.runners === 'tend') {
      allow('service of the runners', ['ecs:DescribeServices', 'ecs:UpdateService']);
      allow('tasks of the runners', ['ecs:DescribeTasks', 'ecs:StopTask', 'ecs:UpdateTaskProtection']);
      allow('*', ['ecs:ListTasks']);
    }
  }
  if (access.audit) allow('accounts', ['dynamodb:PutItem']);
  if (access.sockets) allow('connections of sockets', ['execute-api:ManageConnections']);
  for (const id of access.invokes ?? [])
    allow(`function tripod-dev-${id.replaceAll('.', '-')}`, ['lambda:InvokeFunction']);
  if (access.secrets) allow('key of secrets', [access.secrets === 'seal' ? 'kms:Encrypt' : 'kms:Decrypt']);
  if (access.textract) allow('*', ['textract:AnalyzeDocument']);
  return [...new Set(rights)].sort();
}

describe('a function', () => {
  it.each([...routes, ...workers].map((entry) => [entry.id, entry] as const))(
    '%s may do what its entry says, and nothing else; on tables and buckets, only as far as its code goes',
    (_, entry) => {
      const [granted, declared] = [rightsOf(stack, entry), expectedRights(entry)];
      expect(granted.filter((right) => !declared.includes(right))).toEqual([]);
      const withheld = declared.filter((right) => !granted.includes(right));
      expect(withheld.filter((right) => !/ (?:dynamodb|s3):/.test(right))).toEqual([]);
    },
  );

  it('of the extract route may do exactly this', () => {
    const extract = routes.find(({ id }) => id === 'extraction.extract')!;
    expect(rightsOf(stack, extract)).toEqual(
      [
        '* textract:AnalyzeDocument',
        ...READ_WRITE.filter((action) => !action.includes('BatchWrite')).map((action) => `accounts ${action}`),
        ...READ_WRITE.filter((action) => !action.includes('ConditionCheck')).map((action) => `extractions ${action}`),
        ...['DeleteItem', 'PutItem', 'UpdateItem'].map((action) => `idempotency dynamodb:${action}`),
        'formularies/* s3:GetObject',
        'master s3:ListBucket',
        'master/drug-master.tsv.gz s3:GetObject',
        'master/shipped/drug-master.tsv.gz s3:GetObject',
        'limits dynamodb:GetItem',
        'limits dynamodb:UpdateItem',
        'log of the service logs:CreateLogStream',
        'log of the service logs:PutLogEvents',
        'uploads/* s3:DeleteObject',
        'uploads/* s3:GetObject',
        'uploads/* s3:PutObject',
        'usage dynamodb:UpdateItem',
        // Which workflows wait for extractions, and notifying them.
        ...['GetItem', 'Query'].map((action) => `workflows dynamodb:${action}`),
        'runs sqs:SendMessage',
      ].sort(),
    );
  });

  it('of the uploads route may put and get objects of that bucket, which is what its addresses allow', () => {
    const upload = routes.find(({ id }) => id === 'extraction.create-upload')!;
    expect(rightsOf(stack, upload)).toEqual(
      [
        ...KEY_CHECK.map((action) => `accounts ${action}`),
        'accounts dynamodb:BatchGetItem',
        'limits dynamodb:UpdateItem',
        'log of the service logs:CreateLogStream',
        'log of the service logs:PutLogEvents',
        'uploads/* s3:GetObject',
        'uploads/* s3:PutObject',
      ].sort(),
    );
  });

  it('of the worker of batches completes the keys of calls, and may not read them, put uploads, or queue images', () => {
    const worker = workers.find(({ id }) => id === 'extraction.process-image')!;
    const rights = rightsOf(stack, worker).join();
    expect(rights).toContain('idempotency dynamodb:UpdateItem');
    for (const action of ['GetItem', 'PutItem', 'DeleteItem', 'Query', 'BatchGetItem'])
      expect(rights).not.toContain(`idempotency dynamodb:${action}`);
    expect(rights).not.toContain('s3:PutObject');
    expect(rights).not.toContain('batchimages sqs:SendMessage');
  });

  it('has no wildcard in any action', () => {
    for (const entry of [...routes, ...workers])
      for (const right of rightsOf(stack, entry)) expect(right.split(' ').at(-1)).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/);
  });

  it('cannot call Textract where the embedded reader reads, which is the default', () => {
    const embedded = synthesize({ sandbox: 'fargate' });
    for (const entry of [...routes, ...workers]) expect(rightsOf(embedded, entry).join()).not.toContain('textract');
  });

  it('gets the settings of what it may use, and of nothing else', () => {
    const environmentNames = (definitions: Readonly<Record<string, { readonly environment: string }>>) =>
      Object.entries(definitions).map(([id, { environment }]) => [id, environment] as const);
    for (const entry of [...routes, ...workers]) {
      const { id, access } = entry;
      const { environment, properties } = functionOf(stack, entry)!;
      expect({ ...environment, id }).toMatchObject({ SERVICE_VERSION: '1.2.3', LOG_LEVEL: 'INFO' });
      const has = (name: string) => name in environment;
      const { auth, isUnlimited } = entry as Partial<Route>;
      const checksCallers = (auth ?? []).some((credential) => credential !== 'signature');
      const hasLimits = (auth !== undefined && !isUnlimited) || access.rateLimits === true;
      for (const [table, name] of environmentNames(tables)) {
        const wanted = access.tables?.[table as TableId] !== undefined;
        const implied =
          access.erasure === true ||
          (table === 'accounts' &&
            (checksCallers || access.audit === true || access.outbox !== undefined || access.tokenBudgets === true)) ||
          (table === 'limits' && (hasLimits || access.freePages === true || access.tokenBudgets === true)) ||
          (table === 'runners' && access.runners !== undefined);
        expect(has(name), `${id} ${name}`).toBe(wanted || implied);
      }
      for (const [bucket, name] of environmentNames(buckets))
        expect(has(name), `${id} ${name}`).toBe(access.erasure === true || usesBucket(access, bucket as BucketId));
      for (const [queue, name] of environmentNames(queues)) {
        const right = access.queues?.[queue as keyof typeof queues];
        expect(has(name), `${id} ${name}`).toBe(right !== undefined && right !== 'consume-dead-letters');
      }
      expect(has('DRUG_MASTER'), id).toBe(access.master === true);
      expect(has('READER'), id).toBe(access.ocr === true);
      expect(has('OCR_DIR'), id).toBe(access.ocr === true || access.pdf === 'scans');
      expect(properties.Layers !== undefined, id).toBe(access.ocr === true || access.pdf !== undefined);
    }
  });
});

/** Large values of runs go with the table of runs. */
function usesBucket(access: Access, bucket: BucketId): boolean {
  return (bucket === 'runs' ? access.tables?.runs : access[bucket]) !== undefined;
}

import { beforeAll, expect, it } from 'vitest';
import { type Part, type Resource, type Synthesized, synthesize } from './synthesized.ts';

const CERTIFICATE = 'arn:aws:acm:ap-northeast-2:1:certificate/1';
const everything = {
  ...{ waf: 'true', console: 'true', sandbox: 'fargate', inlineImages: 'container', intakeCertificateArn: CERTIFICATE },
  ...{ mailFrom: 'alerts@tripod.example', alarmEmail: 'ops@example.com', monthlyBudgetUsd: 100 },
};

let dev: Synthesized;
let prod: Synthesized;
beforeAll(() => {
  dev = synthesize(everything);
  prod = synthesize({ ...everything, stage: 'prod' });
});

interface Removable extends Resource {
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

interface Removed {
  readonly part: Part;
  readonly id: string;
  readonly resource: Removable;
}

const resourcesIn = ({ templates }: Synthesized): Removed[] =>
  [...templates].flatMap(([part, template]) =>
    Object.entries(template.toJSON().Resources as Record<string, Removable>).map(([id, resource]) => ({
      part,
      id,
      resource,
    })),
  );

const remaining = (stacks: Synthesized) =>
  resourcesIn(stacks).filter(({ resource: { DeletionPolicy = 'Delete' } }) => DeletionPolicy !== 'Delete');

const typesOf = (resources: readonly Removed[]) => [...new Set(resources.map(({ resource }) => resource.Type))].sort();

it('a teardown leaves only the role of the account for the logs of API Gateway, which other APIs use', () => {
  expect(typesOf(remaining(dev))).toEqual(['AWS::ApiGateway::Account', 'AWS::IAM::Role']);
  expect(remaining(dev).map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual([
    expect.stringContaining('CloudWatchRole'),
    expect.stringContaining('Account'),
  ]);
});

it('a teardown with keepData leaves data, its keys, secrets and logs, and nothing else of the service', () => {
  expect(typesOf(remaining(prod))).toEqual([
    'AWS::ApiGateway::Account',
    'AWS::DynamoDB::GlobalTable',
    'AWS::IAM::Role',
    'AWS::KMS::Key',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SecretsManager::Secret',
  ]);
  const kept = new Map(remaining(prod).map(({ part, id }) => [`${part} ${id}`, true]));
  for (const { part, id, resource } of resourcesIn(prod))
    if (['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Logs::LogGroup'].includes(resource.Type))
      expect(kept.has(`${part} ${id}`), `${part} ${id}`).toBe(true);
  // The secret between runners and their dispatcher is made anew with the pool.
  const secrets = resourcesIn(prod).filter(({ resource }) => resource.Type === 'AWS::SecretsManager::Secret');
  expect(secrets.filter(({ part }) => part === 'data')).toHaveLength(2);
  for (const { part, id } of secrets) expect(kept.has(`${part} ${id}`), id).toBe(part === 'data');
});

it('every log group has an end for its lines, and every function names its group', () => {
  for (const stacks of [dev, prod])
    for (const { id, resource } of resourcesIn(stacks)) {
      if (resource.Type === 'AWS::Logs::LogGroup') expect(resource.Properties, id).toHaveProperty('RetentionInDays');
      // A function without a named group gets one that no stack deletes.
      if (resource.Type === 'AWS::Lambda::Function' && !id.startsWith('Custom'))
        expect(resource.Properties, id).toHaveProperty('LoggingConfig.LogGroup');
    }
});

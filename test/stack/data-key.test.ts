import { describe, expect, it } from 'vitest';
import { readConfig } from '../../lib/config.ts';
import { allOf, synthesize } from './synthesized.ts';

const KEY = 'arn:aws:kms:ap-northeast-2:111122223333:key/0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';

describe('a customer’s key for stored data', () => {
  it('encrypts all tables, buckets and queues with data of workspaces', () => {
    const stack = synthesize({ dataKeyArn: KEY });
    const of = (type: string) => allOf(stack, type).map(({ Properties }) => JSON.stringify(Properties));
    for (const table of of('AWS::DynamoDB::GlobalTable')) expect(table).toContain(KEY);
    for (const queue of of('AWS::SQS::Queue')) expect(queue).toContain(KEY);
    const buckets = Object.entries(stack.template('data').findResources('AWS::S3::Bucket'));
    const keyed = buckets.filter(([, { Properties }]) => JSON.stringify(Properties).includes(KEY)).map(([id]) => id);
    const ours = ['uploads', 'formularies', 'executions', 'exports', 'knowledge', 'runs', 'sources'];
    expect(ours.filter((name) => !keyed.some((id) => id.startsWith(`${name}bucket`)))).toEqual([]);
  });

  it('may be used by functions through the stores alone', () => {
    const stack = synthesize({ dataKeyArn: KEY });
    const statements = allOf(stack, 'AWS::IAM::Role')
      .flatMap(
        ({ Properties }) =>
          (Properties.Policies ?? []) as {
            PolicyDocument: { Statement: { Resource: unknown; Condition?: unknown }[] };
          }[],
      )
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Resource }) => Resource === KEY);
    expect(statements.length).toBeGreaterThan(100);
    for (const { Condition } of statements) expect(JSON.stringify(Condition)).toContain('kms:ViaService');
  });

  it('is named by its ARN, and absent unless it is named', () => {
    expect(() => readConfig((name) => (name === 'dataKeyArn' ? 'alias/data' : undefined))).toThrow('the ARN of a key');
    const text = JSON.stringify(synthesize({}).template('data').toJSON());
    expect(text).not.toContain('KmsMasterKeyId');
  });
});

import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { routes } from '../../functions/routes.ts';
import { mergedFormats } from '../../functions/shared/http/error-formats.ts';
import { queues, tables } from '../../functions/shared/resources.ts';
import earlierData from '../fixtures/upgrade/data-stack.json' with { type: 'json' };
import { allOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let dev: Synthesized;
let prod: Synthesized;
beforeAll(() => {
  dev = synthesize();
  prod = synthesize({ stage: 'prod', alarmEmail: 'ops@example.com', waf: 'true' });
});

describe('the data', () => {
  it('has every table, paid by use, restorable, with expiry', () => {
    const made = Object.values(resourcesOf(dev.template('data'), 'AWS::DynamoDB::GlobalTable'));
    expect(made).toHaveLength(Object.keys(tables).length);
    for (const { Properties } of made)
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
      });
  });

  it('outlives its stack in production, and only there', () => {
    const stateful = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket'];
    const policies = ({ template }: Synthesized) =>
      stateful.flatMap((type) =>
        Object.values(resourcesOf(template('data'), type)).map(({ DeletionPolicy }) => DeletionPolicy),
      );
    expect(new Set(policies(prod))).toEqual(new Set(['Retain']));
    expect(new Set(policies(dev))).toEqual(new Set(['Delete']));
    for (const { Properties } of Object.values(resourcesOf(prod.template('data'), 'AWS::DynamoDB::GlobalTable')))
      expect(Properties).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: true }] });
    expect(prod.data.terminationProtection).toBe(true);
    const live = synthesize({ stage: 'live', keepData: 'true' });
    expect(new Set(policies(live))).toEqual(new Set(['Retain']));
    expect(live.data.terminationProtection).toBe(true);
    const warned = ({ data }: Synthesized) => JSON.stringify(data.node.metadata).includes('tripod:data-not-kept');
    const lost = synthesize({ stage: 'production' });
    expect([warned(lost), warned(live), warned(dev)]).toEqual([true, false, false]);
  });

  it('outlives an upgrade: what an earlier release stored data in is there under its id, with nothing that would make it anew', () => {
    // Properties whose change makes CloudFormation put a new, empty resource in place of the old one.
    const replacing = {
      'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
      'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
      'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
      'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
      'AWS::SecretsManager::Secret': ['Name'],
    } as const;
    for (const [id, { type, ...fixed }] of Object.entries({ ...earlierData.firstRelease, ...earlierData.since })) {
      const made = resourcesOf(dev.template('data'), type)[id];
      expect(made, `${type} ${id}`).toBeDefined();
      const properties = replacing[type as keyof typeof replacing].flatMap((name) =>
        made!.Properties[name] === undefined ? [] : [[name, made!.Properties[name]]],
      );
      expect(Object.fromEntries(properties), id).toEqual(fixed);
    }
  });

  it('leaves nothing that CloudFormation could not delete, but in production', () => {
    const emptied = (stack: Synthesized) =>
      Object.values(resourcesOf(stack.template('data'), 'Custom::S3AutoDeleteObjects')).map(
        ({ Properties }) => (Properties.BucketName as { Ref: string }).Ref,
      );
    expect(emptied(dev).sort()).toEqual(Object.keys(resourcesOf(dev.template('data'), 'AWS::S3::Bucket')).sort());
    expect(emptied(prod)).toEqual([]);
  });

  it('is in private, encrypted buckets that are reached by TLS only', () => {
    const buckets = resourcesOf(dev.template('data'), 'AWS::S3::Bucket');
    expect(Object.keys(buckets)).toHaveLength(9);
    const policies = Object.values(resourcesOf(dev.template('data'), 'AWS::S3::BucketPolicy'));
    for (const [id, { Properties }] of Object.entries(buckets)) {
      expect(Properties, id).toMatchObject({
        BucketEncryption: expect.anything(),
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      });
      const policy = policies.find(({ Properties: { Bucket } }) => (Bucket as { Ref: string }).Ref === id);
      expect(JSON.stringify(policy), id).toContain('"aws:SecureTransport":"false"');
    }
  });

  it('forgets uploads after 7 days, what executions leave after 2, large values of runs after 41, and keeps older versions of the drug master', () => {
    for (const ExpirationInDays of [2, 7, 41])
      dev.template('data').hasResourceProperties('AWS::S3::Bucket', {
        LifecycleConfiguration: { Rules: [{ ExpirationInDays, Status: 'Enabled' }] },
      });
    dev.template('data').hasResourceProperties('AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } });
  });

  it('every stage gets the shipped drug list, separate from the imported one', () => {
    for (const { template } of [dev, prod])
      template('data').hasResourceProperties('Custom::CDKBucketDeployment', {
        DestinationBucketKeyPrefix: 'shipped',
        Prune: false,
      });
  });

  it('gives every queue a dead-letter queue', () => {
    const made = resourcesOf(dev.template('data'), 'AWS::SQS::Queue');
    const working = Object.values(made).filter(({ Properties }) => Properties.RedrivePolicy !== undefined);
    expect(working).toHaveLength(Object.keys(queues).length);
    expect(Object.keys(made)).toHaveLength(2 * working.length);
    const asDefined = Object.values(queues).map(({ maxReceiveCount, visibilityTimeoutSeconds }) => [
      maxReceiveCount,
      visibilityTimeoutSeconds,
    ]);
    const asMade = working.map(({ Properties }) => {
      const { deadLetterTargetArn, maxReceiveCount } = Properties.RedrivePolicy as {
        deadLetterTargetArn: { 'Fn::GetAtt': [string, string] };
        maxReceiveCount: number;
      };
      expect(made[deadLetterTargetArn['Fn::GetAtt'][0]]!.Properties).not.toHaveProperty('RedrivePolicy');
      return [maxReceiveCount, Properties.VisibilityTimeout];
    });
    expect(asMade.sort()).toEqual(asDefined.sort());
  });
});

describe('the operation', () => {
  it('has a firewall only where it is asked for, and lets images through it', () => {
    dev.template('api').resourceCountIs('AWS::WAFv2::WebACL', 0);
    prod.template('api').resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
    expect(JSON.stringify(resourcesOf(prod.template('api'), 'AWS::WAFv2::WebACL'))).toContain(
      '"RuleActionOverrides":[{"ActionToUse":{"Count":{}},"Name":"SizeRestrictions_BODY"}]',
    );
  });

  it('lets the firewall answer bodies that are too large for Lambda, as API Gateway cannot: 413, uploads named', () => {
    const [acl] = Object.values(resourcesOf(prod.template('api'), 'AWS::WAFv2::WebACL'));
    const { Rules, CustomResponseBodies } = acl!.Properties as {
      Rules: [{ Action: object; Statement: { RegexMatchStatement: { RegexString: string; FieldToMatch: object } } }];
      CustomResponseBodies: Record<string, { Content: string }>;
    };
    const [{ Action, Statement }] = Rules;
    expect(Action).toEqual({
      Block: { CustomResponse: { ResponseCode: 413, CustomResponseBodyKey: 'body-too-large' } },
    });
    const body = JSON.parse(CustomResponseBodies['body-too-large']!.Content);
    for (const { schema } of mergedFormats) schema.parse(body);
    expect(body).toMatchObject({ code: 413, error: { code: 'request_too_large' } });
    expect(body.message).toContain('POST /api/v1/uploads');
    expect(Statement.RegexMatchStatement.FieldToMatch).toEqual({ SingleHeader: { Name: 'content-length' } });
    const isTooLong = new RegExp(Statement.RegexMatchStatement.RegexString);
    for (const length of [0, 999, 6_199_999, 5_999_999, 999_999]) expect(isTooLong.test(String(length))).toBe(false);
    for (const length of [6_200_000, 6_291_456, 7_000_000, 9_999_999, 10_485_761, 26_000_000, 123_456_789])
      expect(isTooLong.test(String(length)), String(length)).toBe(true);
  });

  it('does not take programs for attacks: the common rules leave the bodies of executions, chat, documents, channels and workflows alone, and nothing else', () => {
    const [acl] = Object.values(resourcesOf(prod.template('api'), 'AWS::WAFv2::WebACL'));
    const rules = acl!.Properties.Rules as {
      Name: string;
      Statement: {
        ManagedRuleGroupStatement?: {
          ScopeDownStatement: {
            NotStatement: {
              Statement: { OrStatement: { Statements: { ByteMatchStatement: Record<string, unknown> }[] } };
            };
          };
        };
      };
    }[];
    const common = rules.find(({ Name }) => Name === 'common')!.Statement.ManagedRuleGroupStatement!;
    const matches = common.ScopeDownStatement.NotStatement.Statement.OrStatement.Statements.map(
      ({ ByteMatchStatement }) => ByteMatchStatement,
    );
    const lies = {
      CONTAINS: (path: string, text: string) => path.includes(text),
      ENDS_WITH: (path: string, text: string) => path.endsWith(text),
    };
    for (const match of matches) {
      expect(match).toMatchObject({ FieldToMatch: { UriPath: {} } });
      expect(match.PositionalConstraint).toBe(match.SearchString === '/test' ? 'ENDS_WITH' : 'CONTAINS');
    }
    const excluded = routes.filter(({ path }) =>
      matches.some((match) => lies[match.PositionalConstraint as keyof typeof lies](path, String(match.SearchString))),
    );
    expect(excluded.map(({ id }) => id)).toContain('channels.handle-webhook');
    for (const member of ['code', 'messages', 'system_prompt', 'text', 'graph', 'inputs', 'dsl', 'comment']) {
      // The code of a login is six digits.
      const withText = routes.filter(
        ({ id, body }) =>
          !id.startsWith('accounts.') &&
          body !== undefined &&
          JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes(`"${member}":`),
      );
      expect(withText.length, member).toBeGreaterThan(0);
      for (const route of withText) expect(excluded, route.id).toContain(route);
    }
    for (const { id } of excluded)
      expect(id).toMatch(/^(sandbox|chat|knowledge|workflows)\.|^channels\.((handle|verify)-webhook|test-channel)$/);
  });

  it('the API answers under a custom name if one is given', () => {
    const named = synthesize({
      domainName: 'api.example.com',
      certificateArn: 'arn:aws:acm:ap-northeast-2:1:certificate/1',
    });
    named.template('api').hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'api.example.com' });
  });

  it('every finding of cdk-nag is acknowledged with a reason', () => {
    for (const { app } of [dev, prod]) expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
    const careless = new Stack(new App(), 'careless');
    new Bucket(careless, 'bucket');
    expect(new AwsSolutionsChecks().validateScope(careless).violations).not.toEqual([]);
  });

  it('has none under a bootstrap of another name either', () => {
    const renamed = synthesize({ '@aws-cdk/core:bootstrapQualifier': 'tripod1' });
    expect(new AwsSolutionsChecks().validateScope(renamed.app).violations).toEqual([]);
    expect(JSON.stringify(renamed.template('data').toJSON())).toContain('cdk-tripod1-assets');
  });

  it('is made with the feature flags of cdk.json, not with those that the installed CDK recommends', () => {
    const { context } = cdkJson;
    const known = Object.keys(recommendedFlags);
    expect(Object.keys(context).filter((flag) => !known.includes(flag))).toEqual([]);
    // A weak reference would let a data stack go that others use.
    expect(context['@aws-cdk/core:defaultCrossStackReferences']).toBe('strong');
    for (const [flag, value] of Object.entries(context)) expect(dev.app.node.tryGetContext(flag), flag).toEqual(value);
  });

  it('the template shows `sam local invoke` the place of the code', () => {
    for (const [type, property] of [
      ['AWS::Lambda::Function', 'Code'],
      ['AWS::Lambda::LayerVersion', 'Content'],
    ] as const)
      for (const resource of allOf(dev, type).filter(
        ({ Properties }) => Properties.Runtime !== undefined || type.endsWith('LayerVersion'),
      ))
        expect(resource).toMatchObject({
          Metadata: { 'aws:asset:path': expect.any(String), 'aws:asset:property': property },
        });
  });
});

describe('the configuration', () => {
  it.each([
    [{ stage: 'Prod!' }, /stage: 2 to 16 small letters/],
    [{ reader: 'tesseract' }, /reader/],
    [{ logRetentionDays: '31' }, /logRetentionDays/],
    [{ batchConcurrency: '1' }, /batchConcurrency/],
    [{ waf: 'perhaps' }, /waf: true or false/],
    [{ alarmEmail: 'nobody' }, /alarmEmail/],
    [{ domainName: 'api.example.com' }, /give both or neither/],
    [{ sandbx: 'fargate' }, /sandbx: did you mean sandbox\?/],
  ])('options %o are refused with the name of the faulty one', (context, message) => {
    expect(() => synthesize(context)).toThrow(message);
  });
});

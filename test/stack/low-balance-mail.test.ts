import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

const FUNCTION_NAME = 'tripod-dev-accounts-deliver-notices';

let mailing: Synthesized;
beforeAll(() => {
  mailing = synthesize();
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

function worker({ serviceTemplate }: Synthesized) {
  const functions = Object.entries(resourcesOf(serviceTemplate, 'AWS::Lambda::Function'));
  const [id, { Properties }] = functions.find(
    ([
      ,
      {
        Properties: { FunctionName },
      },
    ]) => FunctionName === FUNCTION_NAME,
  )!;
  const roleId = (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0];
  const [{ PolicyDocument }] = resourcesOf(serviceTemplate, 'AWS::IAM::Role')[roleId]!.Properties.Policies as [
    { PolicyDocument: { Statement: Statement[] } },
  ];
  return { id, properties: Properties, statements: PolicyDocument.Statement };
}

const statementWith = (action: string) =>
  worker(mailing).statements.filter(({ Action }) => [Action].flat().includes(action));

describe('the low-balance e-mail', () => {
  it('is sent with the right to one identity and one sender', () => {
    expect(statementWith('ses:SendRawEmail')).toEqual([
      {
        Effect: 'Allow',
        Action: ['ses:SendEmail', 'ses:SendRawEmail'],
        Resource: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':ses:',
              { Ref: 'AWS::Region' },
              ':',
              { Ref: 'AWS::AccountId' },
              ':identity/tripod.example',
            ],
          ],
        },
        Condition: { StringEquals: { 'ses:FromAddress': 'alerts@tripod.example' } },
      },
    ]);
    const named = synthesize({ mailFrom: 'alerts@mail.tripod.example', mailIdentity: 'tripod.example' });
    expect(JSON.stringify(worker(named).statements)).toContain(':identity/tripod.example');
    expect(worker(mailing).properties.Environment).toMatchObject({
      Variables: { MAIL_FROM: 'alerts@tripod.example', ACCOUNTS_TABLE: expect.anything() },
    });
  });

  it('may change nothing in the accounts table but the outbox', () => {
    const writing = worker(mailing).statements.filter(({ Action }) =>
      /(Put|Update|Delete|Write)Item/.test([Action].join()),
    );
    expect(writing).toMatchObject([
      {
        Action: ['dynamodb:DeleteItem', 'dynamodb:UpdateItem'],
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['OUTBOX'] } },
      },
    ]);
  });

  it('is sent at once, by the stream of the accounts table, of whose changes it hears only of the outbox', () => {
    mailing.dataTemplate.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    });
    const [mapping] = Object.values(resourcesOf(mailing.serviceTemplate, 'AWS::Lambda::EventSourceMapping'));
    expect(mapping?.Properties).toMatchObject({
      FunctionName: { Ref: worker(mailing).id },
      StartingPosition: 'LATEST',
      FilterCriteria: {
        Filters: [{ Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":["OUTBOX"]}}}}' }],
      },
    });
    const [reading] = statementWith('dynamodb:GetRecords');
    expect(reading?.Resource).toEqual(mapping?.Properties.EventSourceArn);
  });

  it('is sent every five minutes where it was not sent at once', () => {
    mailing.serviceTemplate.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [{ Arn: { 'Fn::GetAtt': [worker(mailing).id, 'Arn'] } }],
    });
  });

  it('raises an alarm when it cannot be sent', () => {
    mailing.serviceTemplate.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: 'accounts.deliver-notices crashes or runs out of time',
    });
  });

  it('has no finding of cdk-nag', () => {
    expect(new AwsSolutionsChecks().validateScope(mailing.app).violations).toEqual([]);
  });

  it('needs a sender: without one there is no function, and the deployment says so', () => {
    const silent = synthesize({ mailFrom: '' });
    const sources = Object.keys(resourcesOf(silent.serviceTemplate, 'AWS::Lambda::EventSourceMapping'));
    expect(sources.filter((id) => id.startsWith('NoticeDelivery'))).toEqual([]);
    expect(JSON.stringify(silent.service.node.metadata)).toContain('Low-balance e-mails are not sent');
    expect(JSON.stringify(mailing.service.node.metadata)).not.toContain('Low-balance e-mails are not sent');
    expect(() => synthesize({ mailFrom: 'nobody' })).toThrow('mailFrom');
  });
});

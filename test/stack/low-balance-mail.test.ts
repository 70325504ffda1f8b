import { beforeAll, describe, expect, it } from 'vitest';
import { deliverNoticesWorker } from '../../functions/accounts/workers.ts';
import { functionOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let mailing: Synthesized;
beforeAll(() => {
  mailing = synthesize();
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

function worker(stack: Synthesized) {
  const { id, properties, role } = functionOf(stack, deliverNoticesWorker)!;
  const [{ PolicyDocument }] = role.Policies as [{ PolicyDocument: { Statement: Statement[] } }];
  return { id, properties, statements: PolicyDocument.Statement };
}

const statementWith = (action: string) =>
  worker(mailing).statements.filter(({ Action }) => [Action].flat().includes(action));

const warningsOf = ({ services }: Synthesized) => JSON.stringify(services.map(({ node }) => node.metadata));

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

  it('may change nothing in the accounts table but the outbox, and the links that its mails bring', () => {
    const writing = worker(mailing).statements.filter(({ Action }) =>
      /(Put|Update|Delete|Write)Item/.test([Action].join()),
    );
    expect(writing).toMatchObject([
      {
        Action: ['dynamodb:DeleteItem', 'dynamodb:UpdateItem'],
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['OUTBOX'] } },
      },
      {
        Action: 'dynamodb:PutItem',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['LINK#*'] } },
      },
    ]);
  });

  it('is sent at once, by the stream of the accounts table, of whose changes it hears only of the outbox', () => {
    mailing.template('data').hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    });
    const [mapping] = Object.values(resourcesOf(mailing.template('accounts'), 'AWS::Lambda::EventSourceMapping'));
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
    mailing.template('accounts').hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [{ Arn: { 'Fn::GetAtt': [worker(mailing).id, 'Arn'] } }],
    });
  });

  it('needs a sender: without one there is no function, and the deployment says so', () => {
    const silent = synthesize({ mailFrom: '' });
    const sources = Object.keys(resourcesOf(silent.template('accounts'), 'AWS::Lambda::EventSourceMapping'));
    expect(sources.filter((id) => id.startsWith('NoticeDelivery'))).toEqual([]);
    expect(warningsOf(silent)).toContain('password resets) are not sent');
    expect(warningsOf(mailing)).not.toContain('password resets) are not sent');
    expect(() => synthesize({ mailFrom: 'nobody' })).toThrow('mailFrom');
  });
});

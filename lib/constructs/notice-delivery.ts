import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as InvokeFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { OUTBOX_PARTITION } from '../../functions/adapters/dynamodb/keys.ts';

export interface NoticeDeliveryProps {
  readonly accounts: TableV2;
  /** The worker that sends the notices in the outbox, on any event. */
  readonly deliver: LambdaFunction;
}

/** Runs the delivery of notices: within a second of the charge that caused one, and every few minutes for leftovers. */
export class NoticeDelivery extends Construct {
  constructor(scope: Construct, id: string, { accounts, deliver }: NoticeDeliveryProps) {
    super(scope, id);
    new EventSourceMapping(this, 'Stream', {
      target: deliver,
      eventSourceArn: streamOf(accounts),
      startingPosition: StartingPosition.LATEST,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { pk: { S: FilterRule.isEqual(OUTBOX_PARTITION) } } },
        }),
      ],
      // What fails now is the schedule's; repeating it would only hold up the stream.
      retryAttempts: 0,
    });
    new Rule(this, 'Schedule', {
      description: 'Sends low-balance e-mails that were not sent at once',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new InvokeFunction(deliver, { retryAttempts: 0 })],
    });
  }
}

/** Reading the table's stream, for the role of the function that hears it. */
export function readStreamStatement(accounts: TableV2): PolicyStatement {
  return new PolicyStatement({
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    resources: [streamOf(accounts)],
  });
}

function streamOf({ tableStreamArn }: TableV2): string {
  if (!tableStreamArn) throw new Error('The accounts table has no stream.');
  return tableStreamArn;
}

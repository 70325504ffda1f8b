import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as InvokeFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { WorkQueue } from './work-queue.ts';

export interface QueueWorkProps {
  readonly queue: WorkQueue;
  /** Invocations at the same time. */
  readonly concurrency: number;
  /** Messages of one invocation, at most. */
  readonly batchSize: number;
  /** Works a message off. */
  readonly work: LambdaFunction;
  /** Gets the messages that were worked on too often. */
  readonly fail: LambdaFunction;
  /** Finds what crashes and lost messages have left behind; null where that of another queue does. */
  readonly reconcile: { readonly function: LambdaFunction; readonly summary: string } | null;
}

/** Runs the workers of a queue: on its messages, on its dead letters, and every few minutes for leftovers. */
export class QueueWork extends Construct {
  constructor(scope: Construct, id: string, props: QueueWorkProps) {
    super(scope, id);
    const { queue, concurrency, batchSize, work, fail, reconcile } = props;
    new EventSourceMapping(this, 'Messages', {
      target: work,
      eventSourceArn: queue.queue.queueArn,
      batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: concurrency,
    });
    new EventSourceMapping(this, 'DeadLetters', {
      target: fail,
      eventSourceArn: queue.deadLetters.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      // No limit of concurrency: with one, Lambda would keep five long polls open at all times in place of two, and bill them.
    });
    if (reconcile === null) return;
    new Rule(this, 'Schedule', {
      description: reconcile.summary,
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new InvokeFunction(reconcile.function, { retryAttempts: 0 })],
    });
  }
}

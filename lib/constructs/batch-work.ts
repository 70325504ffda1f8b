import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as InvokeFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { WorkQueue } from './work-queue.ts';

/** Images that are read at the same time: a batch must leave the account's concurrency to the calls that wait for an answer. */
const MOST_AT_A_TIME = 20;
const MOST_DEAD_AT_A_TIME = 2;

export interface BatchWorkProps {
  readonly images: WorkQueue;
  readonly process: LambdaFunction;
  readonly fail: LambdaFunction;
  readonly reconcile: LambdaFunction;
}

/** Runs the workers of batches: on the queue of images, on what it gave up, and every few minutes for what was left. */
export class BatchWork extends Construct {
  constructor(scope: Construct, id: string, { images, process, fail, reconcile }: BatchWorkProps) {
    super(scope, id);
    new EventSourceMapping(this, 'Images', {
      target: process,
      eventSourceArn: images.queue.queueArn,
      // A page takes seconds: a second one in the same invocation would only wait.
      batchSize: 1,
      reportBatchItemFailures: true,
      maxConcurrency: MOST_AT_A_TIME,
    });
    new EventSourceMapping(this, 'DeadLetters', {
      target: fail,
      eventSourceArn: images.deadLetters.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: MOST_DEAD_AT_A_TIME,
    });
    new Rule(this, 'Schedule', {
      description: 'Queues or ends the images of batches that a crash left behind',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new InvokeFunction(reconcile, { retryAttempts: 0 })],
    });
  }
}

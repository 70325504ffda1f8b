import { beforeAll, expect, it } from 'vitest';
import { failExecutionWorker, processExecutionWorker } from '../../functions/sandbox/workers.ts';
import { queues } from '../../functions/shared/resources.ts';
import { resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize();
});

const madeOf = (type: string, name: string) => {
  const made = Object.entries(resourcesOf(stack.template('sandbox'), type));
  return made.find(([id]) => id.startsWith(`ExecutionWork${name}`))![1].Properties;
};

it('executions are processed one per invocation with limited concurrency, and only failed messages are redelivered', () => {
  expect(madeOf('AWS::Lambda::EventSourceMapping', 'Messages')).toMatchObject({
    BatchSize: 1,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 20 },
  });
  const deadLetters = madeOf('AWS::Lambda::EventSourceMapping', 'DeadLetters');
  expect(deadLetters).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
});

it('a message without a delay is redelivered only when its worker is certainly dead', () => {
  const { visibilityTimeoutSeconds } = queues.executions;
  expect(visibilityTimeoutSeconds).toBeGreaterThan(processExecutionWorker.limits.timeoutSeconds);
  // The dead-letter queue has the time-out of queues that name none.
  expect(failExecutionWorker.limits.timeoutSeconds).toBeLessThan(30);
});

it('the reconciler runs on a schedule', () => {
  expect(madeOf('AWS::Events::Rule', 'Schedule')).toMatchObject({
    ScheduleExpression: 'rate(5 minutes)',
    State: 'ENABLED',
  });
});

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

it('executions are worked off one an invocation, so many at a time, and only failed messages come again', () => {
  expect(madeOf('AWS::Lambda::EventSourceMapping', 'Messages')).toMatchObject({
    BatchSize: 1,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 20 },
  });
  const deadLetters = madeOf('AWS::Lambda::EventSourceMapping', 'DeadLetters');
  expect(deadLetters).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
});

it('a message that nobody puts off comes again only when its worker is dead for certain', () => {
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

import { beforeAll, expect, it } from 'vitest';
import { failImageWorker, processImageWorker } from '../../functions/extraction/workers.ts';
import { queues } from '../../functions/shared/resources.ts';
import { resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize();
});

const sourceOf = (name: string, { template }: Synthesized = stack) => {
  const sources = Object.entries(resourcesOf(template('extraction'), 'AWS::Lambda::EventSourceMapping'));
  return sources.find(([id]) => id.startsWith(`BatchWork${name}`))![1].Properties;
};

it('images are read one per invocation with limited concurrency, and only failed ones are redelivered', () => {
  expect(sourceOf('Messages')).toMatchObject({
    BatchSize: 1,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 20 },
  });
  expect(sourceOf('DeadLetters')).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
  // Each limit of concurrency costs three more long polls that never end.
  expect(sourceOf('DeadLetters')).not.toHaveProperty('ScalingConfig');
});

it.each([
  [{ reader: 'textract' }, 5],
  [{ batchConcurrency: '2' }, 2],
])('with %j the number of images read at a time is %i', (context, most) => {
  const source = sourceOf('Messages', synthesize(context));
  expect(source).toMatchObject({ ScalingConfig: { MaximumConcurrency: most } });
});

it('a message comes again only when its worker is dead for certain', () => {
  const { visibilityTimeoutSeconds } = queues['batch-images'];
  expect(visibilityTimeoutSeconds).toBeGreaterThan(processImageWorker.limits.timeoutSeconds);
  // The dead-letter queue has the time-out of queues that name none.
  expect(failImageWorker.limits.timeoutSeconds).toBeLessThan(30);
});

it('the reconciler runs on a schedule', () => {
  const rules = Object.entries(resourcesOf(stack.template('extraction'), 'AWS::Events::Rule'));
  const [, { Properties }] = rules.find(([id]) => id.startsWith('BatchWork'))!;
  expect(Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { ATTEMPT_RESERVE_MS } from '../../functions/channels/domain/delivery/deliver-lane.ts';
import { answerMessagesWorker, deliverMessagesWorker, failMessagesWorker } from '../../functions/channels/workers.ts';
import { queues } from '../../functions/shared/resources.ts';
import { functionOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize({ breakerErrorThreshold: 7, breakerProbeIntervalSeconds: 15 });
});

const madeOf = (type: string, name: string) => {
  const made = Object.entries(resourcesOf(stack.template('channels'), type));
  return made.find(([id]) => id.startsWith(name))![1].Properties;
};

describe('the messages of channels', () => {
  it('have a queue for what comes in and one for each priority, with room by priority', () => {
    for (const [name, MaximumConcurrency, BatchSize] of [
      ['InboundWork', 20, 1],
      ['HighDeliveries', 10, 10],
      ['NormalDeliveries', 6, 10],
      ['LowDeliveries', 2, 10],
    ] as const)
      expect(madeOf('AWS::Lambda::EventSourceMapping', `${name}Messages`)).toMatchObject({
        BatchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency },
      });
  });

  it('come again only when their worker is dead for certain', () => {
    expect(queues['channel-inbound'].visibilityTimeoutSeconds).toBeGreaterThan(
      answerMessagesWorker.limits.timeoutSeconds,
    );
    for (const id of ['deliveries-high', 'deliveries-normal', 'deliveries-low'] as const)
      expect(queues[id].visibilityTimeoutSeconds).toBeGreaterThan(deliverMessagesWorker.limits.timeoutSeconds);
    // The dead-letter queue has the time-out of queues that name none.
    expect(failMessagesWorker.limits.timeoutSeconds).toBeLessThan(30);
    expect(deliverMessagesWorker.limits.timeoutSeconds * 1000).toBeGreaterThan(2 * ATTEMPT_RESERVE_MS);
  });

  it('are reconciled by one schedule for all queues', () => {
    const rules = Object.values(resourcesOf(stack.template('channels'), 'AWS::Events::Rule'));
    expect(rules).toMatchObject([{ Properties: { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' } }]);
  });

  it('raise alarms when a circuit opens, and when one is old', () => {
    for (const [MetricName, Statistic] of [
      ['CircuitsOpened', 'Sum'],
      ['OldestChannelMessage', 'Maximum'],
    ])
      stack
        .template('channels')
        .hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName, Statistic, Namespace: 'Tripod' });
  });
});

it('the circuit breaker has the settings of the deployment', () => {
  expect(functionOf(stack, deliverMessagesWorker)!.environment).toMatchObject({
    BREAKER_ERROR_THRESHOLD: '7',
    BREAKER_ERROR_WINDOW_SECONDS: '60',
    BREAKER_RECOVERY_TIMEOUT_SECONDS: '30',
    BREAKER_PROBE_INTERVAL_SECONDS: '15',
  });
});

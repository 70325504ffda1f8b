import type { QueueId } from '../functions/shared/resources.ts';
import type { Config } from './config.ts';

/** Shares of the deliveries by their priority: those that matter most have the most room. */
const DELIVERY_SHARES = { high: 10 / 18, normal: 6 / 18, low: 2 / 18 };
/** Lambda's minimum for an event source. */
const MIN = 2;

/** Functions of each queue that may run at the same time. */
export function queueConcurrency(config: Config): Readonly<Record<QueueId, number>> {
  const deliveries = (share: number) => Math.max(MIN, Math.round(config.deliveryConcurrency * share));
  return {
    'batch-images': config.batchConcurrency,
    knowledge: config.documentConcurrency,
    crawls: config.crawlConcurrency,
    executions: config.executionConcurrency,
    runs: config.runConcurrency,
    'channel-inbound': config.answerConcurrency,
    'deliveries-high': deliveries(DELIVERY_SHARES.high),
    'deliveries-normal': deliveries(DELIVERY_SHARES.normal),
    'deliveries-low': deliveries(DELIVERY_SHARES.low),
  };
}

/** All queues together, when each of them is full. */
export function totalQueueConcurrency(config: Config): number {
  return Object.values(queueConcurrency(config)).reduce((sum, each) => sum + each, 0);
}

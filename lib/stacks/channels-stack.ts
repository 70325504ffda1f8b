import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  answerMessagesWorker,
  deliverMessagesWorker,
  failMessagesWorker,
  reconcileMessagesWorker,
} from '../../functions/channels/workers.ts';
import { CIRCUITS_OPENED, OLDEST_CHANNEL_MESSAGE } from '../../functions/shared/metric-names.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { countedMetric } from '../constructs/counted-metric.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** All retries of a message take a minute. */
const OLD_MESSAGE_SECONDS = 10 * 60;

/** Webhooks of messaging platforms, the answers to their messages, and their delivery. */
export class ChannelsStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'channels', props);
    this.serveRoutes();
    const functionOf = (worker: Worker) => this.functionOf(worker, worker.doc.summary);
    const fail = functionOf(failMessagesWorker);
    this.consumeQueue('InboundWork', 'channel-inbound', {
      batchSize: 1,
      work: this.functionOf(answerMessagesWorker, answerMessagesWorker.doc.summary, {
        // The workflow of an application may read PDFs.
        ocrLayer: new OcrLayer(this, 'Ocr').layer,
      }),
      fail,
      // Of all four queues: the messages themselves are in the table.
      reconcile: { function: functionOf(reconcileMessagesWorker), summary: reconcileMessagesWorker.doc.summary },
    });
    const deliver = functionOf(deliverMessagesWorker);
    for (const [queue, name] of [
      ['deliveries-high', 'HighDeliveries'],
      ['deliveries-normal', 'NormalDeliveries'],
      ['deliveries-low', 'LowDeliveries'],
    ] as const)
      this.consumeQueue(name, queue, {
        batchSize: deliverMessagesWorker.batchSize,
        work: deliver,
        fail,
        reconcile: null,
      });
    this.#watch(props);
  }

  #watch({ config }: ServiceStackProps): void {
    this.alarms.watch('CircuitsOpened', {
      metric: countedMetric(config, CIRCUITS_OPENED),
      description: 'A messaging platform fails: deliveries to it have stopped until a probe succeeds',
      threshold: 1,
    });
    this.alarms.watch('OldestMessage', {
      // Not the age that SQS knows: a message that waits for its retry is a new one to it.
      metric: countedMetric(config, OLDEST_CHANNEL_MESSAGE).with({ statistic: Stats.MAXIMUM }),
      description: `A message of a channel is neither answered nor delivered after ${OLD_MESSAGE_SECONDS / 60} minutes`,
      threshold: OLD_MESSAGE_SECONDS,
    });
  }
}

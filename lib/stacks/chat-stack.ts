import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { answerMessageWorker, socketWorkers } from '../../functions/chat/workers.ts';
import { FIRST_TOKEN_MS } from '../../functions/shared/metric-names.ts';
import { countedMetric } from '../constructs/counted-metric.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Chat applications, and the sockets that they answer on. */
export class ChatStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'chat', props);
    const granted = { ocrLayer: new OcrLayer(this, 'Ocr').layer };
    this.serveRoutes(granted);
    for (const worker of Object.values(socketWorkers)) this.functionOf(worker, worker.doc.summary, granted);
    // An answer is started once, or not at all: late, or twice, it would surprise its client.
    this.functionOf(answerMessageWorker, answerMessageWorker.doc.summary, granted).configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
    });
    this.alarms.watch('SlowFirstTokens', {
      metric: countedMetric(props.config, FIRST_TOKEN_MS).with({ statistic: 'p99' }),
      description:
        'One stream in a hundred waits 20 seconds for its first text: a provider is slow, or functions start too often',
      threshold: 20_000,
      periods: 3,
    });
  }
}

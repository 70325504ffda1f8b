import { Annotations } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { extractRoute } from '../../functions/extraction/routes.ts';
import {
  failImageWorker,
  processImageWorker,
  readTableWorker,
  reconcileJobsWorker,
} from '../../functions/extraction/workers.ts';
import { readersOf } from '../config.ts';
import { ALARM_PERIOD } from '../constructs/alarms.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { functionName } from '../names.ts';
import { textractIsKnownIn } from '../textract-regions.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** API Gateway gives up after 29 s: slower calls are about to fail. */
const SLOW_MS = 20_000;

export interface ExtractionStackProps extends ServiceStackProps {
  /** Region of the deployment, where it is known at synthesis. */
  readonly targetRegion: string | undefined;
}

/** Reading of tables: single calls and batches, with the OCR layer. */
export class ExtractionStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ExtractionStackProps) {
    super(scope, id, 'extraction', props);
    const { config } = props;
    const granted = { ocrLayer: new OcrLayer(this, 'Ocr').layer };
    this.serveRoutes(granted);
    this.functionOf(readTableWorker, readTableWorker.doc.summary, granted);
    this.workQueue(
      'BatchWork',
      {
        queue: 'batch-images',
        work: processImageWorker,
        fail: failImageWorker,
        reconcile: reconcileJobsWorker,
      },
      granted,
    );
    this.alarms.watch('SlowAnswers', {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Duration',
        dimensionsMap: { FunctionName: functionName(config, extractRoute.id) },
        statistic: Stats.p(99),
        period: ALARM_PERIOD,
      }),
      description: `One extraction in a hundred takes ${SLOW_MS / 1000} s or more; at 29 s API Gateway gives up`,
      threshold: SLOW_MS,
      periods: 3,
    });
    this.#checkRegion(props);
  }

  #checkRegion({ config, targetRegion }: ExtractionStackProps): void {
    if (!readersOf(config).has('textract') || targetRegion === undefined || textractIsKnownIn(targetRegion)) return;
    Annotations.of(this).addWarningV2(
      'tripod:no-textract',
      `Amazon Textract is not known to be in ${targetRegion}: deploy to a region that has it, or choose another reader with ` +
        '-c reader=embedded or -c reader=bedrock.',
    );
  }
}

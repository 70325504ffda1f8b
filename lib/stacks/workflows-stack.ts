import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as InvokeFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import {
  failRunWorker,
  fireSchedulesWorker,
  processRunWorker,
  reconcileRunsWorker,
} from '../../functions/workflows/workers.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Workflows, and the worker that continues their runs. */
export class WorkflowsStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'workflows', props);
    // Nodes read PDFs.
    const granted = { ocrLayer: new OcrLayer(this, 'Ocr').layer };
    this.serveRoutes(granted);
    this.workQueue(
      'RunWork',
      {
        queue: 'runs',
        work: processRunWorker,
        fail: failRunWorker,
        reconcile: reconcileRunsWorker,
      },
      granted,
    );
    const { summary } = fireSchedulesWorker.doc;
    new Rule(this, 'Schedules', {
      description: summary,
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute finds what this one could not start.
      targets: [new InvokeFunction(this.functionOf(fireSchedulesWorker, summary), { retryAttempts: 0 })],
    });
  }
}

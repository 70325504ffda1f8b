import type { Construct } from 'constructs';
import { failRunWorker, processRunWorker, reconcileRunsWorker } from '../../functions/workflows/workers.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Workflows, and the worker that goes on with their runs. */
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
  }
}

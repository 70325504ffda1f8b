import type { Construct } from 'constructs';
import {
  crawlSourcesWorker,
  failCrawlWorker,
  failDocumentWorker,
  indexDocumentWorker,
  reconcileDocumentsWorker,
  reconcileSourcesWorker,
} from '../../functions/knowledge/workers.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Knowledge bases, and the sources that fill them. */
export class KnowledgeStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'knowledge', props);
    this.serveRoutes();
    this.workQueue(
      'KnowledgeWork',
      {
        queue: 'knowledge',
        work: indexDocumentWorker,
        fail: failDocumentWorker,
        reconcile: reconcileDocumentsWorker,
      },
      { ocrLayer: new OcrLayer(this, 'Ocr').layer },
    );
    this.workQueue('Crawls', {
      queue: 'crawls',
      work: crawlSourcesWorker,
      fail: failCrawlWorker,
      reconcile: reconcileSourcesWorker,
    });
  }
}

import {
  checkLedgerWorker,
  deliverNoticesWorker,
  eraseDataWorker,
  exportWorkspaceWorker,
  rotateSigningKeyWorker,
} from './accounts/workers.ts';
import {
  answerMessagesWorker,
  deliverMessagesWorker,
  failMessagesWorker,
  reconcileMessagesWorker,
} from './channels/workers.ts';
import {
  answerMessageWorker,
  connectSocketWorker,
  disconnectSocketWorker,
  receiveMessageWorker,
} from './chat/workers.ts';
import { failImageWorker, processImageWorker, readTableWorker, reconcileJobsWorker } from './extraction/workers.ts';
import {
  crawlSourcesWorker,
  failCrawlWorker,
  failDocumentWorker,
  indexDocumentWorker,
  reconcileDocumentsWorker,
  reconcileSourcesWorker,
} from './knowledge/workers.ts';
import {
  executeRequestWorker,
  failExecutionWorker,
  makeFileWorker,
  processExecutionWorker,
  reconcileExecutionsWorker,
  reconcilePoolWorker,
  registerRunnerWorker,
  runProgramWorker,
} from './sandbox/workers.ts';
import type { Worker } from './shared/worker.ts';
import { failRunWorker, fireSchedulesWorker, processRunWorker, reconcileRunsWorker } from './workflows/workers.ts';

/** Every function of the house that no request calls. */
export const workers: readonly Worker[] = [
  deliverNoticesWorker,
  eraseDataWorker,
  exportWorkspaceWorker,
  rotateSigningKeyWorker,
  checkLedgerWorker,
  processImageWorker,
  failImageWorker,
  reconcileJobsWorker,
  readTableWorker,
  indexDocumentWorker,
  failDocumentWorker,
  reconcileDocumentsWorker,
  crawlSourcesWorker,
  failCrawlWorker,
  reconcileSourcesWorker,
  connectSocketWorker,
  disconnectSocketWorker,
  receiveMessageWorker,
  answerMessageWorker,
  processExecutionWorker,
  failExecutionWorker,
  reconcileExecutionsWorker,
  registerRunnerWorker,
  reconcilePoolWorker,
  executeRequestWorker,
  runProgramWorker,
  makeFileWorker,
  answerMessagesWorker,
  deliverMessagesWorker,
  failMessagesWorker,
  reconcileMessagesWorker,
  processRunWorker,
  failRunWorker,
  reconcileRunsWorker,
  fireSchedulesWorker,
];

import type { ServiceEvents } from '../shared/ports/service-events.ts';
import type { JobHead } from './domain/batch/job.ts';
import { progressOf } from './domain/batch/job.ts';
import type { Jobs } from './domain/batch/job-ports.ts';
import type { ExtractionResult } from './domain/extraction.ts';

/** Notifies workflows of an extraction, with the names that an `extract` node has for it. */
export function publishExtraction(workspaceId: string, result: ExtractionResult, events: ServiceEvents): Promise<void> {
  return events.publish(workspaceId, 'extraction.completed', () => {
    const { requestId, foundTable, documentType, items, summary, meta, cost } = result;
    const data = { extraction_id: requestId, found_table: foundTable, document_type: documentType };
    return [{ id: requestId, data: { ...data, items, summary, meta, cost_krw: cost.krw } }];
  });
}

/** Notifies workflows of a batch once all its images have ended. */
export function publishBatch(
  { workspaceId, jobId }: Pick<JobHead, 'workspaceId' | 'jobId'>,
  { jobs, events }: { readonly jobs: Pick<Jobs, 'find'>; readonly events: ServiceEvents },
): Promise<void> {
  return events.publish(workspaceId, 'batch.completed', async () => {
    const job = await jobs.find(workspaceId, jobId);
    if (job === null) return [];
    const { status, completed, failed, completedAt, cost } = progressOf(job);
    if (completedAt === null) return [];
    const { total } = job.head;
    return [{ id: jobId, data: { job_id: jobId, status, total, completed, failed, cost_krw: cost.krw } }];
  });
}

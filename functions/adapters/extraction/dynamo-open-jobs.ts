import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { JobHead } from '../../extraction/domain/batch/job.ts';
import type { OpenJob, OpenJobs } from '../../extraction/domain/batch/job-ports.ts';
import { OPEN_JOBS_PARTITION, openJobKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** The pointers that DynamoJobs stores for jobs until all of their images have ended. */
export class DynamoOpenJobs implements OpenJobs {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async *list(): AsyncGenerator<OpenJob> {
    const pointers = this.#table.query<OpenJob>({ partition: OPEN_JOBS_PARTITION });
    for await (const { workspaceId, jobId, isSent } of pointers) yield { workspaceId, jobId, isSent };
  }

  async markSent({ jobId }: Pick<JobHead, 'jobId'>): Promise<void> {
    // Conditional: a job that was taken off the list stays off it.
    await this.#table.update(openJobKey(jobId), { set: { isSent: true } });
  }

  async close({ jobId }: Pick<JobHead, 'jobId'>): Promise<void> {
    await this.#table.delete(openJobKey(jobId));
  }
}

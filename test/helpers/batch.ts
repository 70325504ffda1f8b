import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type * as z from 'zod';
import { job as jobSchema } from '../../functions/extraction/job-schemas.ts';
import { type ApiAnswer, call } from './api.ts';
import type { TestService } from './service.ts';

export const BATCH_PATH = '/api/v1/edi-extract-lite/extract-batch-async';

export type Job = z.output<typeof jobSchema>;

type Service = Pick<TestService, 'baseUrl'>;
type Caller = Pick<TestService, 'apiKey'>;

/** A workspace sends a batch. */
export function batchCall(
  service: Service,
  workspace: Caller,
  body: unknown,
  idempotencyKey?: string,
): Promise<ApiAnswer> {
  return call({ ...service, ...workspace }, 'POST', BATCH_PATH, {
    body,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}

/** A workspace polls a job. */
export function jobCall(service: Service, workspace: Caller, jobId: string, query = ''): Promise<ApiAnswer> {
  return call({ ...service, ...workspace }, 'GET', `/api/v1/jobs/${jobId}${query}`);
}

/** The job as a poll shows it once `isSo`, after checks that each poll until then is what the OpenAPI document promises. */
export async function jobWhen(
  isSo: (job: Job) => boolean,
  service: Service,
  workspace: Caller,
  jobId: string,
  query = '',
): Promise<Job> {
  for (;;) {
    const answer = await jobCall(service, workspace, jobId, query);
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    const job = jobSchema.strict().parse(answer.json);
    expect(job.images.filter(({ status }) => status === 'completed')).toHaveLength(job.completed);
    expect(job.images.filter(({ status }) => status === 'failed')).toHaveLength(job.failed);
    if (isSo(job)) return job;
    await sleep(100);
  }
}

export const finishedJob = (service: Service, workspace: Caller, jobId: string, query = ''): Promise<Job> =>
  jobWhen(({ completedAt }) => completedAt !== null, service, workspace, jobId, query);

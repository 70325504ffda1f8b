import type { BatchImage, JobHead } from '../../extraction/domain/batch/job.ts';
import type { NewJob } from '../../extraction/domain/batch/job-ports.ts';
import { epochSeconds, jobImageKey, jobKey } from '../dynamodb/keys.ts';

/** A job's head and its images: one query finds them all, the head first. */
export function itemsOf({ head, places, labels = [], pages = [], queuedAtMs, keyId = null }: NewJob) {
  const { workspaceId, jobId, templateId, serviceDate } = head;
  const expiresAt = epochSeconds(Date.parse(head.expiresAt));
  const images = places.map((place, index) => {
    const image: BatchImage = {
      workspaceId,
      jobId,
      index,
      place,
      ...(labels[index] && { labels: labels[index] }),
      ...(pages[index] !== undefined && { page: pages[index] }),
      status: 'queued',
      attempts: 0,
      leaseUntilMs: 0,
      queuedAtMs,
      requeues: 0,
      outcome: null,
    };
    return { ...jobImageKey(workspaceId, jobId, index), ...image, templateId, serviceDate, keyId, expiresAt };
  });
  return { head: { ...jobKey(workspaceId, jobId), ...head, expiresAt }, images, expiresAt };
}

export function headOf(item: Record<string, unknown>): JobHead {
  // Jobs of earlier versions have no date.
  const {
    jobId,
    workspaceId,
    templateId,
    serviceDate = null,
    total,
    createdAt,
    expiresAt,
  } = item as unknown as JobHead & {
    readonly expiresAt: number;
  };
  return {
    jobId,
    workspaceId,
    templateId,
    serviceDate,
    total,
    createdAt,
    expiresAt: new Date(Number(expiresAt) * 1000).toISOString(),
  };
}

export function imageOf(item: Record<string, unknown>): BatchImage {
  const {
    workspaceId,
    jobId,
    index,
    place,
    labels,
    page,
    status,
    attempts,
    leaseUntilMs,
    queuedAtMs,
    requeues,
    outcome,
  } = item as unknown as BatchImage;
  const image = { workspaceId, jobId, index, place, status, attempts, leaseUntilMs, queuedAtMs, requeues, outcome };
  return { ...image, ...(labels && { labels }), ...(page !== undefined && { page }) };
}

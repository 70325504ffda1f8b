import { type BatchImage, type BatchJob, progressOf } from './domain/batch/job.ts';
import type { StoredExtraction } from './domain/stored-extraction.ts';

/** A job as a poll shows it. @param extractions with the drug lines of its images; null: without. */
export function presentedJob(job: BatchJob, extractions: ReadonlyMap<string, StoredExtraction> | null) {
  const { jobId, total, createdAt } = job.head;
  const { status, completed, failed, completedAt, cost } = progressOf(job);
  const urls = job.images.filter(({ place }) => place.kind === 'url').length;
  const images = job.images.map((image) => presentedImage(image, urls, extractions));
  return { jobId, status, total, completed, failed, createdAt, completedAt, cost, images };
}

function presentedImage(
  { index, place, status, outcome }: BatchImage,
  urls: number,
  extractions: ReadonlyMap<string, StoredExtraction> | null,
) {
  const done = outcome?.kind === 'completed' ? outcome : null;
  const items = done && extractions?.get(done.extractionId)?.page.items;
  return {
    index,
    source: place.kind === 'url' ? place.url : `images.${index - urls}`,
    status,
    extractionId: done?.extractionId ?? null,
    itemCount: done?.itemCount ?? null,
    foundTable: done?.foundTable ?? null,
    byStatus: done?.byStatus ?? null,
    geometry: done?.geometry ?? null,
    error: outcome?.kind === 'failed' ? outcome.error : null,
    ...(items && { items }),
  };
}

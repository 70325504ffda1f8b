import { koreanError } from '../shared/http/korean-problem.ts';
import type { Language } from '../shared/language.ts';
import { type BatchImage, type BatchJob, progressOf } from './domain/batch/job.ts';
import type { Item } from './domain/extraction.ts';
import type { ImageError } from './domain/image-outcome.ts';
import { shownLabels } from './domain/labels.ts';
import type { StoredExtraction } from './domain/stored-extraction.ts';
import { toItemResponses } from './item-responses.ts';

/**
 * Lambda responses end at 6 MB, as JSON within JSON. A hundred pages of forty lines take 1.5 to 2.3 MB of them, depending on
 * their review notes; with more than a hundred lines a page some have to be fetched one by one. 1 MB is left for the rest.
 */
const ITEMS_BUDGET_BYTES = 5_000_000;

/** Response body of a poll. @param extractions with the drug lines of its images; null: without. */
export function toJobResponse(
  job: BatchJob,
  extractions: ReadonlyMap<string, StoredExtraction> | null,
  language: Language,
) {
  const { jobId, total, createdAt } = job.head;
  const { status, completed, failed, completedAt, cost } = progressOf(job);
  const urls = job.images.filter(({ place }) => place.kind === 'url').length;
  const fitsBudget = within(ITEMS_BUDGET_BYTES);
  const itemsOf = (extractionId: string) => {
    const page = extractions?.get(extractionId)?.page;
    return page && toItemResponses(page, language);
  };
  const images = job.images.map((image) => toImageResponse(image, urls, itemsOf, fitsBudget, language));
  return { jobId, status, total, completed, failed, createdAt, completedAt, cost, images };
}

function toImageResponse(
  { index, place, labels, status, outcome }: BatchImage,
  urls: number,
  itemsOf: (extractionId: string) => readonly Item[] | undefined,
  fitsBudget: (items: readonly unknown[]) => boolean,
  language: Language,
) {
  const done = outcome?.kind === 'completed' ? outcome : null;
  const items = done && itemsOf(done.extractionId);
  return {
    index,
    source: place.kind === 'url' ? place.url : `images.${index - urls}`,
    ...shownLabels(labels),
    status,
    ...(outcome?.kind === 'deleted' && { deleted: true as const }),
    extractionId: done?.extractionId ?? null,
    itemCount: done?.itemCount ?? null,
    foundTable: done?.foundTable ?? null,
    byStatus: done?.byStatus ?? null,
    geometry: done?.geometry ?? null,
    error: outcome?.kind === 'failed' ? toErrorResponse(outcome.error, language) : null,
    ...(items && (fitsBudget(items) ? { items } : { itemsOmitted: true })),
  };
}

function toErrorResponse({ code, message }: ImageError, language: Language): ImageError {
  return { code, message: (language === 'ko' ? koreanError(code) : null) ?? message };
}

/** A check whether further items still fit the budget, which they then use up. */
function within(budgetBytes: number): (items: readonly unknown[]) => boolean {
  let leftBytes = budgetBytes;
  return (items) => {
    const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(items)));
    if (bytes > leftBytes) return false;
    leftBytes -= bytes;
    return true;
  };
}

import { AccountBusy } from '../accounts/domain/change-account.ts';
import { Problem } from '../shared/http/problem.ts';
import { IdempotencyRefused } from '../shared/idempotency/claim-key.ts';
import { SheetError } from '../shared/sheet-error.ts';
import { type ExtractRefusal, ExtractRefused } from './domain/extract-refused.ts';
import { FreePagesUsedUp } from './domain/free-pages.ts';
import { ImageFetchFailed } from './domain/image-source.ts';
import { DrugMasterMissing } from './domain/master/drug-master-source.ts';
import { MasterFileError } from './domain/master/master-file.ts';
import { type ImageRefusal, ImageRefused } from './domain/reading/image-refused.ts';
import { ReaderUnavailable } from './domain/reading/reader-unavailable.ts';
import { ReviewRefused } from './domain/review.ts';

const STATUS: Readonly<
  Record<ExtractRefusal | ImageRefusal | IdempotencyRefused['refusal'] | ReviewRefused['refusal'] | 'try_again', number>
> = {
  invalid_request: 400,
  insufficient_balance: 402,
  budget_used_up: 429,
  idempotency_in_progress: 409,
  review_changed: 409,
  result_not_kept: 410,
  image_too_large: 413,
  unsupported_media_type: 415,
  unreadable_image: 422,
  page_missing: 422,
  unknown_template: 422,
  idempotency_key_reused: 422,
  try_again: 503,
};

/** Errors of the extraction's domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof ExtractRefused) {
    const { refusal, message, details, retryAfterSeconds } = error;
    return new Problem(STATUS[refusal], refusal, message, {
      ...(Object.keys(details).length > 0 && { details: { ...details } }),
      ...(retryAfterSeconds !== null && { headers: { 'retry-after': String(retryAfterSeconds) } }),
    });
  }
  // Their messages say which row, or what to do with the file.
  if (error instanceof MasterFileError || error instanceof SheetError)
    return new Problem(STATUS.invalid_request, 'invalid_request', error.message, {
      details: { fields: { file: error.message } },
    });
  if (error instanceof ReviewRefused)
    return new Problem(STATUS[error.refusal], error.refusal, error.message, { details: { ...error.details } });
  if (error instanceof ImageRefused) return new Problem(STATUS[error.refusal], error.refusal, error.message);
  if (error instanceof ReaderUnavailable)
    return new Problem(STATUS.try_again, 'try_again', `${error.message} Nothing was charged.`, {
      headers: { 'retry-after': String(error.retryAfterSeconds) },
      cause: error,
    });
  if (error instanceof FreePagesUsedUp)
    return new Problem(429, 'free_pages_used_up', error.message, {
      headers: { 'retry-after': String(error.retryAfterSeconds) },
    });
  if (error instanceof DrugMasterMissing)
    return new Problem(503, 'master_missing', `${DrugMasterMissing.ADVICE}. Nothing was charged.`, { cause: error });
  if (error instanceof AccountBusy)
    return new Problem(STATUS.try_again, 'try_again', error.message, { headers: { 'retry-after': '1' } });
  if (error instanceof ImageFetchFailed) return new Problem(422, 'image_fetch_failed', error.message);
  if (error instanceof IdempotencyRefused) {
    const { refusal, message, retryAfterSeconds } = error;
    const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
    return new Problem(STATUS[refusal], refusal, message, { headers });
  }
  return null;
}

export function noPicture(): Problem {
  return new Problem(
    404,
    'not_found',
    'The picture of this extraction is not kept. Uploads are kept for 7 days, images from elsewhere not at all.',
  );
}

export function noOwnList(): Problem {
  return new Problem(404, 'not_found', 'Your workspace has no custom drug list. PUT one to /api/v1/drug-master/own.');
}

/** Unknown, expired, or another workspace's: its client must not learn which. */
export function notFound(what: 'extraction' | 'job', id: string): Problem {
  const shown = JSON.stringify(id.slice(0, MAX_SHOWN_ID_LENGTH));
  return new Problem(
    404,
    'not_found',
    `${what === 'job' ? 'Job' : 'Extraction'} ${shown} not found in this workspace.`,
  );
}

const MAX_SHOWN_ID_LENGTH = 100;

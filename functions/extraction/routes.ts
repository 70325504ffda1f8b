import type * as z from 'zod';
import { bucket, queue, table } from '../shared/access.ts';
import { publishesEvents } from '../shared/event-access.ts';
import { replayedHeader, retryable } from '../shared/http/implied-errors.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import { batchImagesLimit, perMinute } from '../shared/limits/base-limits.ts';
import { drugMasterRoutes } from './drug-master-routes.ts';
import { acceptedJob, batchBody, job, jobList, jobParams, jobQuery, jobsQuery } from './job-schemas.ts';
import { pictureRoutes } from './picture-routes.ts';
import { review, reviewBody } from './review-schemas.ts';
import {
  extractBody,
  extraction,
  extractionList,
  extractionParams,
  extractionResult,
  extractionsQuery,
  extractQuery,
  idempotencyHeaders,
  upload,
  uploadBody,
} from './schemas.ts';

/** Images of up to 18 MB arrive as base64 in JSON: a third larger, plus the envelope. */
const bodyLimit = {
  maxBytes: 26 * 1024 * 1024,
  advice: 'Upload a larger image to the address that POST /api/v1/uploads gives, and send imageUrl instead of image.',
} as const;

/** A batch takes a hundred images. */
const uploadsLimit = perMinute('uploads', 120);

function imagesOf(body: unknown): number {
  const { images, imageUrls } = body as z.output<typeof batchBody>;
  return images.length + imageUrls.length;
}

type UploadBody = z.output<typeof uploadBody>;
/** S3 binds a PUT to one length or to none, never to a maximum: one without a length may bring up to 5 GB. */
const UNBOUND_UPLOAD_COST = 4;

export const extractRoute = {
  id: 'extraction.extract',
  method: 'POST',
  path: '/api/v1/edi-extract-lite/extract',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Read the drug lines of one image',
    description:
      'Charged only when a table is found (foundTable true): the first 10 calls of a workspace are free, then 200 KRW each. ' +
      'requestId is the extraction’s id as well: GET /api/v1/extractions/{requestId} finds it for 30 days. ' +
      'After any error nothing is charged, and the Idempotency-Key is free again.',
  },
  headers: idempotencyHeaders,
  query: extractQuery,
  body: extractBody,
  bodyLimit,
  responses: {
    200: {
      description: 'The extraction',
      schema: extractionResult,
      headers: replayedHeader,
    },
    400: {
      description:
        'invalid_request: not JSON; both or neither of image and imageUrl; image not base64; a wrong or unknown field',
    },
    402: { description: 'insufficient_balance: the balance does not cover the call' },
    409: retryable('idempotency_in_progress: the first call with this Idempotency-Key is still running'),
    410: {
      description:
        'result_not_kept: the first call with this Idempotency-Key was charged, and its result was deleted or is not kept',
    },
    413: {
      description:
        'image_too_large: more than 18 MB or 100 megapixels. request_too_large: a body that the address takes no more of ' +
        '(hosted about 6 MB, and API Gateway may say so in its own words); send the image by POST /api/v1/uploads',
    },
    415: { description: 'unsupported_media_type: neither JPEG, PNG, WebP, TIFF, BMP nor PDF, judged by content' },
    422: {
      description:
        'unreadable_image, image_fetch_failed, unknown_template, or idempotency_key_reused: the key was used with another body',
    },
    429: {
      description:
        'rate_limited: too many requests. free_pages_used_up: within a day too many pages of the workspace held no drug table, or could not be read, which is free of charge',
    },
    503: retryable(
      'try_again: too many pages are being read to read this one in time, or too many calls of the workspace ended at once. ' +
        'master_missing: the operator has imported no drug price list yet',
    ),
  },
  limits: { timeoutSeconds: 29, memoryMb: 3008 },
  access: [
    ...publishesEvents,
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('extractions', 'BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('idempotency', 'DeleteItem', 'PutItem', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    bucket('uploads', 'DeleteObject', 'GetObject', 'PutObject'),
    bucket('formularies', 'GetObject'),
    'free-pages',
    'textract',
    'ocr',
    'drug-master',
  ],
} as const satisfies Route;

export const createUploadRoute = {
  id: 'extraction.create-upload',
  method: 'POST',
  path: '/api/v1/uploads',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'A place to send one image of up to 18 MB to',
    description:
      'PUT the image to uploadUrl with the same Content-Type, then give imageUrl to an extraction of the same workspace. ' +
      'With contentLength the PUT takes exactly that number of bytes. Hosted deployments require it; elsewhere a PUT without it takes ' +
      'any number, and the extraction refuses an image that is too large. 120 a minute; one without contentLength counts as four. Uploads are deleted after 7 days. Free of charge.',
  },
  body: uploadBody,
  rateLimits: [
    {
      limit: uploadsLimit,
      per: 'principal',
      cost: (body) => ((body as UploadBody).contentLength === undefined ? UNBOUND_UPLOAD_COST : 1),
    },
  ],
  responses: {
    200: { description: 'The two addresses', schema: upload },
    400: {
      description:
        'invalid_request: not JSON; no contentType; a wrong or unknown field; no contentLength where it is required',
    },
    413: { description: 'image_too_large: contentLength is more than 18 MB' },
    415: { description: 'unsupported_media_type: contentType is neither JPEG, PNG, WebP, TIFF, BMP nor PDF' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  // An address can do no more than who signs it.
  access: [bucket('uploads', 'GetObject', 'PutObject')],
} as const satisfies Route;

export const getExtractionRoute = {
  id: 'extraction.get-extraction',
  method: 'GET',
  path: '/api/v1/extractions/{id}',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  errors: 'extraction',
  doc: {
    summary: 'One extraction of the workspace',
    description: 'The id is the requestId of a single extraction, or an extractionId of a batch. Kept for 30 days.',
  },
  params: extractionParams,
  responses: {
    200: { description: 'The extraction', schema: extraction },
    404: { description: 'not_found: unknown, expired, or owned by another workspace' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), table('extractions', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const listExtractionsRoute = {
  id: 'extraction.list-extractions',
  method: 'GET',
  path: '/api/v1/extractions',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  errors: 'extraction',
  doc: {
    summary: 'The extractions of the workspace, newest first',
    description: 'Without their lines: GET /api/v1/extractions/{id} has them.',
  },
  query: extractionsQuery,
  responses: {
    200: { description: 'One page of them', schema: extractionList },
    400: { description: 'invalid_request: a wrong filter, limit or cursor' },
  },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), table('extractions', 'BatchGetItem', 'Query')],
} as const satisfies Route;

export const listJobsRoute = {
  id: 'extraction.list-jobs',
  method: 'GET',
  path: '/api/v1/jobs',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  errors: 'extraction',
  doc: { summary: 'The batches of the workspace, newest first' },
  query: jobsQuery,
  responses: {
    200: { description: 'One page of them', schema: jobList },
    400: { description: 'invalid_request: a wrong limit or cursor' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), table('extractions', 'Query')],
} as const satisfies Route;

export const putReviewRoute = {
  id: 'extraction.put-review',
  method: 'PUT',
  path: '/api/v1/extractions/{id}/review',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Record what people have decided about the lines of an extraction',
    description:
      'Replaces the decisions as a whole; the reading never changes, and GET /api/v1/extractions/{id} returns both. Decisions that stay ' +
      'as they are keep who made them, and when. Kept as long as the extraction, and deleted with it. Free of charge.',
  },
  params: extractionParams,
  body: reviewBody,
  responses: {
    200: { description: 'The review as it is now', schema: review },
    400: {
      description: 'invalid_request: not JSON; a line that the extraction has not, or twice; a wrong or unknown field',
    },
    404: { description: 'not_found: unknown, expired, or owned by another workspace' },
    409: {
      description: 'review_changed: the review changed since you read it; details.version is its version now',
    },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'GetItem'),
    table('extractions', 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'),
  ],
} as const satisfies Route;

export const extractBatchRoute = {
  id: 'extraction.extract-batch-async',
  method: 'POST',
  path: '/api/v1/edi-extract-lite/extract-batch-async',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Read up to 100 images in the background',
    description:
      'Answers at once; poll pollUrl. Every image is charged like a single call, at most once. One that fails, or that the ' +
      'balance no longer covers, ends as failed and costs nothing; the others continue.',
  },
  headers: idempotencyHeaders,
  body: batchBody,
  bodyLimit,
  rateLimits: [{ limit: batchImagesLimit, per: 'principal', cost: imagesOf }],
  responses: {
    202: {
      description: 'The job is accepted',
      schema: acceptedJob,
      headers: replayedHeader,
    },
    400: { description: 'invalid_request: not JSON; no image or more than 100; one that is not base64; a wrong field' },
    402: { description: 'insufficient_balance: the balance does not cover a single image' },
    409: retryable('idempotency_in_progress: the first call with this Idempotency-Key is still running'),
    413: { description: 'image_too_large or request_too_large: send large images by POST /api/v1/uploads' },
    422: { description: 'unknown_template, or idempotency_key_reused: the key was used with another body' },
  },
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'GetItem'),
    table('extractions', 'BatchWriteItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'),
    table('idempotency', 'BatchWriteItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('uploads', 'GetObject', 'PutObject'),
    queue('batch-images', 'send'),
  ],
} as const satisfies Route;

export const getJobRoute = {
  id: 'extraction.get-job',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  errors: 'extraction',
  doc: {
    summary: 'How a batch stands',
    description:
      'Never charged. items=1 adds the drug lines, which makes the answer of a large batch large: beyond 5 MB an image says ' +
      'itemsOmitted, and GET /api/v1/extractions/{id} has them. Kept for 30 days.',
  },
  params: jobParams,
  query: jobQuery,
  responses: {
    200: { description: 'The job, and each of its images', schema: job },
    400: { description: 'invalid_request: items is not 1' },
    404: { description: 'not_found: unknown, expired, or owned by another workspace' },
  },
  limits: { timeoutSeconds: 20, memoryMb: 512 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), table('extractions', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const removeJobRoute = {
  id: 'extraction.remove-job',
  method: 'DELETE',
  path: '/api/v1/jobs/{id}',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Delete a batch',
    description:
      'With its images, its extractions and its waiting images, which are no longer charged. The ledger and the audit trail keep ' +
      'the ids of charged and deleted items.',
  },
  params: jobParams,
  responses: { 204: { description: 'Deleted' } },
  limits: { timeoutSeconds: 29, memoryMb: 512 },
  access: [
    table('extractions', 'BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('uploads', 'DeleteObject'),
    'audit',
  ],
} as const satisfies Route;

export const removeExtractionRoute = {
  id: 'extraction.remove-extraction',
  method: 'DELETE',
  path: '/api/v1/extractions/{id}',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Delete an extraction',
    description:
      'With its image, if that was uploaded or came with a batch. A repeated call with its Idempotency-Key is 410 from then on, and not ' +
      'charged. The ledger and the audit trail keep the id.',
  },
  params: extractionParams,
  responses: { 204: { description: 'Deleted' } },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [
    table('extractions', 'BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('uploads', 'DeleteObject'),
    'audit',
  ],
} as const satisfies Route;

export const extractionRoutes: readonly Route[] = [
  extractRoute,
  createUploadRoute,
  ...drugMasterRoutes,
  extractBatchRoute,
  listJobsRoute,
  getJobRoute,
  removeJobRoute,
  listExtractionsRoute,
  getExtractionRoute,
  putReviewRoute,
  ...pictureRoutes,
  removeExtractionRoute,
];

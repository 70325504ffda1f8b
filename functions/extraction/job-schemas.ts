import * as z from 'zod';
import { pageQuery } from '../shared/http/page-query.ts';
import { MAX_IMAGES } from './domain/batch/job.ts';
import { JOB_CURSOR } from './domain/list-extractions.ts';
import { count, geometry, item, labels, pageNumber, serviceDate, shownLabels, summary, templateId } from './schemas.ts';

/** Request and response bodies of batches and their jobs. */

export const jobsQuery = pageQuery('jobs', 'nextCursor', JOB_CURSOR);

export const jobList = z.object({
  jobs: z
    .array(z.object({ jobId: z.string(), total: count, createdAt: z.iso.datetime() }))
    .describe('Newest first; GET /api/v1/jobs/{id} says how one stands'),
  nextCursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

export const batchBody = z
  .strictObject({
    imageUrls: z.array(z.url().max(4096)).max(MAX_IMAGES).default([]).describe('https URLs; each is a separate image'),
    images: z
      .array(z.string().min(1, 'is empty; send the picture in base64'))
      .max(MAX_IMAGES)
      .default([])
      .describe('Pictures in base64, bare or as data: URLs'),
    labels: z
      .array(z.strictObject(labels))
      .max(MAX_IMAGES)
      .optional()
      .describe('Names of the images, one entry for each: imageUrls first, then images, each in your order'),
    pages: z
      .array(pageNumber)
      .max(MAX_IMAGES)
      .optional()
      .describe('Page of each file, from 1, in the order of labels. Absent: the first of each'),
    templateId,
    serviceDate,
  })
  .describe('At least one of images and imageUrls');

export const acceptedJob = z.object({
  jobId: z.string(),
  status: z.literal('queued'),
  pollUrl: z.url().describe('Absolute: GET it with the same key'),
});

export const jobParams = z.object({ id: z.string().describe('A jobId') });

export const jobQuery = z.strictObject({
  items: z.literal('1', 'must be 1, or left out').optional().describe('1: with the drug lines of every image'),
});

export const job = z.object({
  jobId: z.string(),
  status: z
    .enum(['queued', 'processing', 'completed', 'failed'])
    .describe('failed: every image failed; completed: all are finished, and at least one is good'),
  total: count,
  completed: count,
  failed: count,
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable().describe('When the last image was finished'),
  cost: z.object({ krw: count, freeCalls: count }).describe('So far'),
  images: z
    .array(
      z.object({
        index: count.describe('imageUrls first, then images, each in your order; from 0'),
        source: z
          .string()
          .describe(
            'The imageUrl, or images.N for one that came inline; "" of an address whose extraction was deleted',
          ),
        ...shownLabels,
        status: z.enum(['queued', 'processing', 'completed', 'failed']),
        deleted: z.literal(true).optional().describe('Its extraction was deleted: only what it cost is kept'),
        extractionId: z.string().nullable(),
        itemCount: count.nullable(),
        foundTable: z.boolean().nullable(),
        byStatus: summary.shape.byStatus.nullable(),
        geometry: geometry.nullable(),
        error: z
          .object({ code: z.string(), message: z.string() })
          .nullable()
          .describe('code: as the errors of a single call, or processing_failed'),
        items: z.array(item).optional().describe('With items=1, of completed images'),
        itemsOmitted: z
          .literal(true)
          .optional()
          .describe(
            'With items=1, in place of items that would make the answer too large: GET /api/v1/extractions/{extractionId}',
          ),
      }),
    )
    .describe('In the order of index'),
});

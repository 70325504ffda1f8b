import * as z from 'zod';
import { uuidField } from '../../shared/http/uuid-field.ts';
import { baseParams } from '../bases/schemas.ts';
import { MAX_DEPTH, MAX_SOURCE_DOCUMENTS, SCHEDULES } from '../domain/sources/source.ts';

export const sourceParams = baseParams.extend({ source_id: uuidField('Id of the source') });

const maxDocuments = z
  .int()
  .min(1)
  .max(MAX_SOURCE_DOCUMENTS)
  .default(100)
  .describe('Documents that are made of it at most');

const schedule = z
  .enum(SCHEDULES)
  .default('none')
  .describe('When it is read again; none: only when it is sent again. Counted from the start of the last time');

const website = z.strictObject({
  type: z.literal('website'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://example.com/docs/' })
    .max(500)
    .transform((url) => {
      const page = new URL(url);
      page.hash = '';
      return page.href;
    })
    .describe(
      'The first page: https on the public internet, or loopback on a local service. Only pages of the same host, in the folder ' +
        'of this page and below, are read',
    ),
  depth: z.int().min(0).max(MAX_DEPTH).default(3).describe('Links that may be between the first page and another one'),
  max_documents: maxDocuments,
  schedule,
});

const s3 = z.strictObject({
  type: z.literal('s3'),
  prefix: z
    .string()
    .max(500)
    .regex(/^[^\p{Cc}]*$/u, 'must hold no control characters')
    .refine(
      (prefix) => !prefix.startsWith('/') && !prefix.split('/').includes('..'),
      'must not start with / or hold ..',
    )
    .default('')
    .describe(
      'Objects that start so are read, in the folder that the workspace has in the bucket of sources: {workspace id}/{prefix}',
    ),
  max_documents: maxDocuments,
  schedule,
});

export const sourceBody = z.discriminatedUnion('type', [website, s3]);

const counts = z.object({
  documents: z.int().describe('Pages or objects that are documents now'),
  added: z.int(),
  replaced: z.int(),
  unchanged: z.int(),
  removed: z.int().describe('Documents of pages that went away'),
  skipped: z.int().describe('Not readable, or none of the types of documents'),
});

export const knowledgeSource = z
  .object({
    id: z.uuid(),
    type: z.enum(['website', 's3']),
    url: z.string().nullable().describe('Of a website'),
    prefix: z.string().nullable().describe('Of objects in S3'),
    depth: z.int().nullable().describe('Of a website'),
    max_documents: z.int(),
    schedule: z.enum(SCHEDULES),
    status: z
      .enum(['waiting', 'crawling', 'ready', 'failed'])
      .describe(
        'waiting: for its turn; ready, failed: how the last crawl ended. Its documents stay when a crawl fails',
      ),
    created_at: z.iso.datetime(),
    next_crawl_at: z.iso.datetime().nullable().describe('Null: none is planned'),
    crawl: counts.nullable().describe('The crawl under way, so far'),
    last_crawl: counts
      .extend({
        finished_at: z.iso.datetime(),
        stopped_by: z
          .enum(['max_documents', 'max_requests', 'max_bytes'])
          .nullable()
          .describe('The limit at which it stopped; null: everything was read'),
      })
      .nullable()
      .describe('Null before the first one has ended'),
    last_error: z
      .object({
        code: z.enum(['fetch_failed', 'disallowed', 'too_many_documents', 'processing_failed']),
        message: z.string(),
      })
      .nullable()
      .describe('Why the last crawl ended early'),
  })
  .meta({ id: 'KnowledgeSource' });

export const sourceList = z.object({ sources: z.array(knowledgeSource).describe('Oldest first') });

import * as z from 'zod';
import { nameField } from '../../shared/http/name-field.ts';
import { pageQuery } from '../../shared/http/page-query.ts';
import { uuidField } from '../../shared/http/uuid-field.ts';
import { UUID } from '../../shared/uuid.ts';
import { withoutTrailingSlashes } from '../../shared/without-trailing-slashes.ts';
import {
  DOCUMENT_TYPES,
  documentTypeOf,
  FILE_TYPES,
  MAX_DIMENSIONS,
  MAX_INLINE_LENGTH,
  TEXT_TYPES,
} from '../domain/knowledge-base.ts';
import { MAX_HITS, MAX_QUERY_LENGTH } from '../domain/knowledge-search.ts';

const mediaTypes = Object.keys(DOCUMENT_TYPES).join(', ');
const isText = (type: string | null) => TEXT_TYPES.some((text) => text === type);
const textMediaTypes = Object.keys(DOCUMENT_TYPES)
  .filter((mediaType) => isText(documentTypeOf(mediaType)))
  .join(', ');

export const baseParams = z.object({ id: uuidField('Id of the knowledge base') });
export const basesQuery = pageQuery('knowledge bases', 'next_cursor', UUID);
export const documentParams = baseParams.extend({ document_id: uuidField('Id of the document') });
export const documentsQuery = pageQuery('documents', 'next_cursor', UUID);

const provider = z.enum(['openai-compatible', 'bedrock']);

const prefix = z.string().max(200).nullish();

const embedding = z
  .strictObject({
    provider: provider.describe(
      'openai-compatible: any server with POST {base_url}/embeddings; bedrock: Titan and Cohere',
    ),
    model: nameField(200).describe('The provider’s name of the model'),
    base_url: z
      .url('must be an address such as https://api.example.com/v1')
      .max(2_000)
      .transform(withoutTrailingSlashes)
      .nullish()
      .describe('Up to /v1: https on the public internet, or loopback on a local service'),
    api_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 visible ASCII characters')
      .nullish()
      .describe('Stored encrypted and never returned'),
    dimensions: z
      .int()
      .min(1)
      .max(MAX_DIMENSIONS)
      .nullish()
      .describe(`Asked for where the model can make shorter vectors; at most ${MAX_DIMENSIONS} numbers are kept`),
    query_prefix: prefix.describe('Sent before each question: "query: " for the E5 models'),
    passage_prefix: prefix.describe('Sent before each passage: "passage: " for the E5 models'),
  })
  .superRefine(({ provider: by, base_url, api_key, query_prefix, passage_prefix }, context) => {
    const add = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (by === 'openai-compatible' && !base_url) add('base_url', 'is needed by the provider openai-compatible');
    const others = { base_url, api_key, query_prefix, passage_prefix };
    for (const [field, value] of Object.entries(others))
      if (by === 'bedrock' && value) add(field, 'does not apply to the provider bedrock');
  })
  .describe(
    'base_url belongs to openai-compatible, which needs it; bedrock takes neither base_url, api_key nor prefixes',
  );

export const baseBody = z.strictObject({
  name: nameField(100).describe('Unique in the workspace'),
  description: z.string().max(1_000).default(''),
  embedding: embedding
    .nullish()
    .describe(
      'A model that makes vectors: search then ranks by terms and by vectors together. It cannot be changed later. Absent: ' +
        'search by terms, without a network',
    ),
});

export const baseChange = z
  .strictObject({ name: nameField(100).optional(), description: z.string().max(1_000).optional() })
  .meta({ minProperties: 1 });

export const knowledgeBase = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    document_count: z.int().describe('In any state'),
    passage_count: z.int().describe('Of the documents that are ready'),
    created_at: z.iso.datetime(),
    embedding: z
      .object({
        provider,
        model: z.string(),
        base_url: z.string().nullable(),
        has_api_key: z.boolean().describe('The key itself is never returned'),
        dimensions: z.int().nullable(),
        query_prefix: z.string().nullable(),
        passage_prefix: z.string().nullable(),
      })
      .nullable()
      .describe('Null: searched by terms alone'),
  })
  .meta({ id: 'KnowledgeBase' });

export const basePage = z.object({
  knowledge_bases: z.array(knowledgeBase).describe('Newest first'),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

const contentType = z.string().max(200);

export const uploadBody = z.strictObject({
  content_type: contentType.describe(`One of ${mediaTypes}; the PUT has to carry the same`),
  content_length: z.int().min(1).describe('Bytes of the file; the PUT takes exactly this number'),
});

export const documentUpload = z.object({
  upload_id: z.string().describe('To be given to POST …/documents'),
  upload_url: z.url().describe('PUT the file here'),
  expires_in: z.int().describe('Seconds for which upload_url is valid'),
});

const documentContent = z.strictObject({
  title: nameField(300).describe('Shown in citations, and searched'),
  text: z.string().min(1).optional().describe(`The document itself, of at most ${MAX_INLINE_LENGTH} characters`),
  content_type: contentType
    .optional()
    .describe(`Of text: ${textMediaTypes}; by default text/plain, or text/markdown if the title ends with .md`),
  upload_id: z
    .string()
    .max(100)
    .optional()
    .describe('Of POST …/uploads, once the file is there: for larger documents, PDFs and other files'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://example.com/page' })
    .max(2_000)
    .optional()
    .describe(
      'A page or a file on the public internet (https; http on loopback of a local service), of at most 20 MB: it is read at once',
    ),
});

const ONE_CONTENT = 'Exactly one of text, upload_id and url; content_type with text alone';

function requireOneContent(
  { text, upload_id, url, content_type }: z.output<typeof documentContent>,
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const add = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  const given = [text, upload_id, url].filter((each) => each !== undefined).length;
  if (given !== 1) add('text', 'is needed, or upload_id, or url: one of them');
  if (text === undefined && content_type !== undefined)
    add('content_type', 'does not apply to an upload or an address, which has one already');
  const type = content_type === undefined ? null : documentTypeOf(content_type);
  if (text !== undefined && type !== null && !isText(type))
    add('content_type', 'must be that of a text; upload a file by POST …/uploads');
}

const externalId = z
  .string()
  .min(1, 'must not be empty')
  .max(500, 'must have at most 500 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must hold no control characters');

export const documentBody = documentContent
  .extend({
    external_id: externalId
      .optional()
      .describe(
        'Its name where it comes from, by default its url. A document of the base that has it is replaced, unless nothing has changed',
      ),
  })
  .superRefine(requireOneContent)
  .describe(ONE_CONTENT);

export const replacementBody = documentContent.superRefine(requireOneContent).describe(ONE_CONTENT);

export const knowledgeDocument = z
  .object({
    id: z.uuid(),
    external_id: z.string().nullable(),
    title: z.string(),
    type: z.enum([...TEXT_TYPES, ...FILE_TYPES]),
    bytes: z.int(),
    content_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of the content in hexadecimal digits; null until a file is read'),
    status: z
      .enum(['pending', 'indexing', 'ready', 'failed'])
      .describe(
        'pending: waits to be indexed; ready: answers can cite it; failed: see failure. A version before it stays in answers until ready',
      ),
    failure: z
      .object({
        code: z.enum([
          'unreadable',
          'no_text',
          'too_large',
          'took_too_long',
          'base_full',
          'upload_gone',
          'embedding_failed',
          'processing_failed',
        ]),
        message: z.string(),
      })
      .nullable(),
    page_count: z.int().nullable().describe('Of a PDF that is ready; slides of a presentation'),
    pages_without_text: z
      .int()
      .nullable()
      .describe('Pages of a PDF or picture that hold no text that can be read, such as blank ones and photographs'),
    passage_count: z.int(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable().describe('When it became ready or failed'),
  })
  .meta({ id: 'KnowledgeDocument' });

export const addedDocument = knowledgeDocument.extend({
  same_title_as: z.uuid().nullable().describe('Another document of the base that has the same title'),
});

export const documentPage = z.object({
  documents: z.array(knowledgeDocument).describe('Newest first'),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

export const passagesQuery = pageQuery('passages', 'next_cursor', /^[1-9]\d{0,5}$/, 'the first passages');

export const passagePage = z.object({
  passages: z
    .array(
      z
        .object({
          number: z.int().describe('Place in the document, counted from 1'),
          page: z.int().nullable().describe('Of a PDF, or the slide of a presentation; counted from 1'),
          heading: z.array(z.string()).describe('Headings above the passage, outermost first'),
          text: z.string(),
        })
        .meta({ id: 'KnowledgePassage' }),
    )
    .describe('In the order of the document'),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

export const searchBody = z.strictObject({
  query: z.string().trim().min(1, 'must not be empty').max(MAX_QUERY_LENGTH),
  limit: z.int().min(1).max(MAX_HITS).default(5),
});

export const searchResults = z.object({
  results: z
    .array(
      z
        .object({
          document_id: z.uuid(),
          title: z.string(),
          page: z.int().nullable().describe('Of a PDF, or the slide of a presentation; counted from 1'),
          heading: z.array(z.string()).describe('Headings above the passage, outermost first'),
          score: z.number().describe('0 to 1; comparable within one search only'),
          text: z.string(),
        })
        .meta({ id: 'KnowledgeResult' }),
    )
    .describe('Best first'),
});

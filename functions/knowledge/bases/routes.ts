import { bucket, queue, table } from '../../shared/access.ts';
import { envelopeOf } from '../../shared/http/envelope.ts';
import { managed } from '../../shared/http/managed-route.ts';
import { EVENT_BODY_LIMIT, type Route } from '../../shared/http/route.ts';
import { perMinute } from '../../shared/limits/base-limits.ts';
import {
  addedDocument,
  baseBody,
  baseChange,
  basePage,
  baseParams,
  basesQuery,
  documentBody,
  documentPage,
  documentParams,
  documentsQuery,
  documentUpload,
  knowledgeBase,
  knowledgeDocument,
  passagePage,
  passagesQuery,
  replacementBody,
  searchBody,
  searchResults,
  uploadBody,
} from './schemas.ts';

const basesPath = '/api/v1/knowledge-bases';
const basePath = `${basesPath}/{id}` as const;
const documentsPath = `${basePath}/documents` as const;
const documentPath = `${documentsPath}/{document_id}` as const;

const unsupported = { description: 'unsupported_media_type: none of the types of documents' } as const;
const tooLarge = {
  description: 'document_too_large: more than 100 MB, or what the operator allows; or a text that is to be uploaded',
} as const;

/** A client that fills a base with many documents does so in minutes, and causes the cost of reading each of them. */
const documentsLimit = perMinute('documents', 120);

export const listKnowledgeBasesRoute = {
  ...managed,
  id: 'knowledge.list-knowledge-bases',
  method: 'GET',
  path: basesPath,
  doc: { summary: 'The knowledge bases of the workspace', description: 'Newest first, in pages.' },
  query: basesQuery,
  responses: { 200: { description: 'A page of knowledge bases', schema: envelopeOf(basePage) } },
  access: [table('knowledge', 'GetItem', 'Query')],
} as const satisfies Route;

export const createKnowledgeBaseRoute = {
  ...managed,
  id: 'knowledge.create-knowledge-base',
  method: 'POST',
  path: basesPath,
  role: 'admin',
  doc: {
    summary: 'Create a knowledge base',
    description: 'Documents that applications answer from. At most 100 for each workspace.',
  },
  body: baseBody,
  responses: {
    201: { description: 'The knowledge base', schema: envelopeOf(knowledgeBase) },
    409: { description: 'name_taken, or too_many_bases: the workspace has 100' },
  },
  access: [table('knowledge', 'GetItem', 'PutItem', 'UpdateItem'), 'secrets:seal'],
} as const satisfies Route;

export const getKnowledgeBaseRoute = {
  ...managed,
  id: 'knowledge.get-knowledge-base',
  method: 'GET',
  path: basePath,
  doc: { summary: 'One knowledge base' },
  params: baseParams,
  responses: { 200: { description: 'The knowledge base', schema: envelopeOf(knowledgeBase) } },
  access: [table('knowledge', 'GetItem')],
} as const satisfies Route;

export const changeKnowledgeBaseRoute = {
  ...managed,
  id: 'knowledge.change-knowledge-base',
  method: 'PATCH',
  path: basePath,
  role: 'admin',
  doc: {
    summary: 'Rename a knowledge base, or describe it otherwise',
    description: 'Absent members stay as they are.',
  },
  params: baseParams,
  body: baseChange,
  responses: {
    200: { description: 'The knowledge base', schema: envelopeOf(knowledgeBase) },
    409: { description: 'name_taken; changed: the base was changed at the same moment' },
  },
  access: [table('knowledge', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const removeKnowledgeBaseRoute = {
  ...managed,
  id: 'knowledge.remove-knowledge-base',
  method: 'DELETE',
  path: basePath,
  role: 'owner',
  doc: {
    summary: 'Remove a knowledge base with its documents',
    description:
      'No answer uses them from the next request on, and their originals are erased within minutes. Applications that name the ' +
      'base do without it.',
  },
  params: baseParams,
  responses: { 204: { description: 'Removed' } },
  access: [table('knowledge', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'), queue('knowledge', 'send')],
} as const satisfies Route;

export const createDocumentUploadRoute = {
  ...managed,
  id: 'knowledge.create-document-upload',
  method: 'POST',
  path: `${basePath}/uploads`,
  role: 'admin',
  doc: {
    summary: 'A place to send a document of up to 100 MB to',
    description:
      'PUT the file to upload_url with the same Content-Type and length, then give upload_id to POST …/documents. Uploads ' +
      'are deleted after 7 days: what a knowledge base keeps is the text.',
  },
  params: baseParams,
  body: uploadBody,
  rateLimits: [{ limit: documentsLimit, per: 'principal' }],
  responses: {
    200: { description: 'The address', schema: envelopeOf(documentUpload) },
    413: { description: 'document_too_large: content_length is more than 100 MB, or what the operator allows' },
    415: unsupported,
  },
  // An address can do no more than who signs it.
  access: [table('knowledge', 'GetItem'), bucket('uploads', 'GetObject', 'PutObject')],
} as const satisfies Route;

export const addDocumentRoute = {
  ...managed,
  id: 'knowledge.add-document',
  method: 'POST',
  path: documentsPath,
  role: 'admin',
  doc: {
    summary: 'Add a document to a knowledge base',
    description:
      'As a text in the request, by the upload_id of a file, or by the url of a page. It is indexed in the background: ask for ' +
      'the document until its status is ready, or failed with a reason. At most 2,000 documents and 30,000 passages, of ' +
      'some 500 characters each, for a base.',
  },
  params: baseParams,
  body: documentBody,
  bodyLimit: EVENT_BODY_LIMIT,
  rateLimits: [{ limit: documentsLimit, per: 'principal' }],
  responses: {
    200: {
      description:
        'The document that has the external_id, pending with its new content, or as it is where nothing has changed',
      schema: envelopeOf(addedDocument),
    },
    201: { description: 'The document, pending', schema: envelopeOf(addedDocument) },
    409: {
      description:
        'too_many_documents: the knowledge base has 2,000; external_id_taken or changed: by another request at the same moment',
    },
    413: tooLarge,
    415: unsupported,
    422: {
      description:
        'upload_not_found: nothing was uploaded there; document_fetch_failed: the url cannot be read; invalid_request: a value breaks a rule',
    },
  },
  access: [
    table('knowledge', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
    table('accounts', 'BatchGetItem', 'GetItem'),
    bucket('uploads', 'DeleteObject', 'GetObject', 'PutObject'),
    queue('knowledge', 'send'),
  ],
} as const satisfies Route;

export const listDocumentsRoute = {
  ...managed,
  id: 'knowledge.list-documents',
  method: 'GET',
  path: documentsPath,
  doc: { summary: 'The documents of a knowledge base', description: 'Newest first, in pages.' },
  params: baseParams,
  query: documentsQuery,
  responses: { 200: { description: 'A page of documents', schema: envelopeOf(documentPage) } },
  access: [table('knowledge', 'GetItem', 'Query')],
} as const satisfies Route;

export const getDocumentRoute = {
  ...managed,
  id: 'knowledge.get-document',
  method: 'GET',
  path: documentPath,
  doc: { summary: 'One document of a knowledge base' },
  params: documentParams,
  responses: { 200: { description: 'The document', schema: envelopeOf(knowledgeDocument) } },
  access: [table('knowledge', 'GetItem')],
} as const satisfies Route;

export const listPassagesRoute = {
  ...managed,
  id: 'knowledge.list-passages',
  method: 'GET',
  path: `${documentPath}/passages`,
  doc: {
    summary: 'The passages of a document, as searches find them',
    description:
      'In the order of the document, in pages. None before the document is ready; while another content is being indexed, those of the ' +
      'content before. A page that is requested after a replacement continues at the same number of the new content.',
  },
  params: documentParams,
  query: passagesQuery,
  responses: { 200: { description: 'A page of passages', schema: envelopeOf(passagePage) } },
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  access: [table('knowledge', 'GetItem', 'Query'), bucket('knowledge', 'GetObject')],
} as const satisfies Route;

export const replaceDocumentRoute = {
  ...managed,
  id: 'knowledge.replace-document',
  method: 'PUT',
  path: documentPath,
  role: 'admin',
  doc: {
    summary: 'Replace a document',
    description:
      'Answers come from the version before until the new one is indexed, and from the new one alone then. Where neither ' +
      'text, title nor type has changed, nothing is done.',
  },
  params: documentParams,
  body: replacementBody,
  bodyLimit: EVENT_BODY_LIMIT,
  rateLimits: [{ limit: documentsLimit, per: 'principal' }],
  responses: {
    200: { description: 'The document', schema: envelopeOf(knowledgeDocument) },
    409: { description: 'changed: the document is being indexed at this moment' },
    413: tooLarge,
    415: unsupported,
    422: {
      description:
        'upload_not_found: nothing was uploaded there; document_fetch_failed: the url cannot be read; invalid_request: a value breaks a rule',
    },
  },
  access: [
    table('knowledge', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
    table('accounts', 'BatchGetItem', 'GetItem'),
    bucket('uploads', 'DeleteObject', 'GetObject', 'PutObject'),
    queue('knowledge', 'send'),
  ],
} as const satisfies Route;

export const removeDocumentRoute = {
  ...managed,
  id: 'knowledge.remove-document',
  method: 'DELETE',
  path: documentPath,
  role: 'admin',
  doc: {
    summary: 'Remove a document',
    description:
      'No answer uses it from the next request on; its original is erased at once, ' + 'its text within two hours.',
  },
  params: documentParams,
  responses: {
    204: { description: 'Removed' },
    409: { description: 'changed: the document is being indexed at this moment' },
  },
  access: [
    table('knowledge', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
    bucket('uploads', 'DeleteObject'),
    queue('knowledge', 'send'),
  ],
} as const satisfies Route;

export const searchKnowledgeRoute = {
  ...managed,
  id: 'knowledge.search-knowledge',
  method: 'POST',
  path: `${basePath}/search`,
  doc: {
    summary: 'Search a knowledge base',
    description:
      'Passages with their documents, pages and headings, as answers cite them. Korean is found with any endings.',
  },
  params: baseParams,
  body: searchBody,
  responses: { 200: { description: 'The best passages', schema: envelopeOf(searchResults) } },
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  access: [table('knowledge', 'GetItem', 'Query'), bucket('knowledge', 'GetObject'), 'secrets:open', 'chat-models'],
} as const satisfies Route;

export const baseRoutes: readonly Route[] = [
  listKnowledgeBasesRoute,
  createKnowledgeBaseRoute,
  getKnowledgeBaseRoute,
  changeKnowledgeBaseRoute,
  removeKnowledgeBaseRoute,
  createDocumentUploadRoute,
  addDocumentRoute,
  listDocumentsRoute,
  getDocumentRoute,
  listPassagesRoute,
  replaceDocumentRoute,
  removeDocumentRoute,
  searchKnowledgeRoute,
];

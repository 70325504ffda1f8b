import type * as z from 'zod';
import { textTypeOfName } from '../../shared/media-types.ts';
import type { DocumentUpload, NewDocument } from '../domain/document-content.ts';
import type { NumberedPassage } from '../domain/document-passages.ts';
import type { KnowledgeBase, KnowledgeDocument } from '../domain/knowledge-base.ts';
import type { KnowledgeHit } from '../domain/knowledge-search.ts';
import type { BaseDraft, Page } from '../domain/manage-knowledge.ts';
import type {
  baseBody,
  documentBody,
  documentUpload,
  knowledgeBase,
  knowledgeDocument,
  passagePage,
  searchResults,
} from './schemas.ts';

export function toBaseResponse(base: KnowledgeBase): z.output<typeof knowledgeBase> {
  const { baseId: id, name, description, documents, passages, createdAt, embedding } = base;
  return {
    id,
    name,
    description,
    document_count: documents,
    passage_count: passages,
    created_at: createdAt,
    embedding: embedding && {
      provider: embedding.provider,
      model: embedding.model,
      base_url: embedding.baseUrl,
      has_api_key: embedding.apiKey !== null,
      dimensions: embedding.dimensions,
      query_prefix: embedding.prefixes?.question || null,
      passage_prefix: embedding.prefixes?.passage || null,
    },
  };
}

export function toBaseDraft({ name, description, embedding }: z.output<typeof baseBody>): BaseDraft {
  if (!embedding) return { name, description, embedding: null };
  const { provider, model, base_url: baseUrl = null, api_key: apiKey = null, dimensions = null } = embedding;
  const prefixes = { question: embedding.query_prefix ?? '', passage: embedding.passage_prefix ?? '' };
  return { name, description, embedding: { provider, model, baseUrl, apiKey, dimensions, prefixes } };
}

export function toNewDocument(body: Omit<z.output<typeof documentBody>, 'external_id'>): NewDocument {
  const { title, text, url, upload_id: uploadId = '', content_type: mediaType = textTypeOfName(title) } = body;
  if (url !== undefined) return { kind: 'web', title, url };
  return text === undefined ? { kind: 'upload', title, uploadId } : { kind: 'inline', title, text, mediaType };
}

export function toDocumentResponse(document: KnowledgeDocument): z.output<typeof knowledgeDocument> {
  const {
    externalId,
    contentHash,
    documentId: id,
    title,
    type,
    bytes,
    status,
    failure,
    pages,
    pagesWithoutText,
    passages,
    createdAt,
    finishedAt,
  } = document;
  return {
    id,
    external_id: externalId,
    title,
    type,
    bytes,
    content_hash: contentHash,
    status,
    failure,
    ...{
      page_count: pages,
      pages_without_text: pagesWithoutText,
      passage_count: passages,
      created_at: createdAt,
      finished_at: finishedAt,
    },
  };
}

export function toUploadResponse({ uploadId, uploadUrl, expiresIn }: DocumentUpload): z.output<typeof documentUpload> {
  return { upload_id: uploadId, upload_url: uploadUrl, expires_in: expiresIn };
}

export function toPassagesResponse({ items, nextCursor }: Page<NumberedPassage>): z.output<typeof passagePage> {
  const passages = items.map(({ heading, ...passage }) => ({ ...passage, heading: [...heading] }));
  return { passages, next_cursor: nextCursor };
}

export function toSearchResponse(hits: readonly KnowledgeHit[]): z.output<typeof searchResults> {
  return {
    results: hits.map(({ documentId, title, page, heading, score, text }) => ({
      document_id: documentId,
      title,
      page,
      heading: [...heading],
      score,
      text,
    })),
  };
}

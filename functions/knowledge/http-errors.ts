import { Problem } from '../shared/http/problem.ts';
import { type KnowledgeRefusal, KnowledgeRefused } from './domain/knowledge-refused.ts';

const STATUS: Readonly<Record<KnowledgeRefusal, number>> = {
  not_found: 404,
  document_not_found: 404,
  source_not_found: 404,
  name_taken: 409,
  too_many_bases: 409,
  too_many_documents: 409,
  too_many_sources: 409,
  changed: 409,
  document_too_large: 413,
  unsupported_media_type: 415,
  external_id_taken: 409,
  document_fetch_failed: 422,
  upload_not_found: 422,
  invalid_base_url: 422,
};

/** Errors of knowledge's domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  return error instanceof KnowledgeRefused ? new Problem(STATUS[error.refusal], error.refusal, error.message) : null;
}

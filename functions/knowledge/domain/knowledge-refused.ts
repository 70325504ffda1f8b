/** Why a request for knowledge is not accepted. */
export type KnowledgeRefusal =
  /** No such base, or another workspace's. */
  | 'not_found'
  | 'document_not_found'
  | 'source_not_found'
  | 'name_taken'
  | 'invalid_base_url'
  | 'too_many_bases'
  | 'too_many_documents'
  | 'too_many_sources'
  | 'document_too_large'
  | 'external_id_taken'
  | 'document_fetch_failed'
  | 'upload_not_found'
  | 'unsupported_media_type'
  | 'changed';

export class KnowledgeRefused extends Error {
  override name = 'KnowledgeRefused';
  readonly refusal: KnowledgeRefusal;

  constructor(refusal: KnowledgeRefusal, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.refusal = refusal;
  }
}

/** Why an application, or a change of one, is not accepted. */
export type ApplicationRefusal =
  /** No such application, or another workspace's. */
  | 'not_found'
  | 'name_taken'
  /** Changed by another call since the client read it. */
  | 'changed'
  | 'invalid_base_url'
  /** A tool whose description gives none. */
  | 'invalid_tool'
  | 'unknown_knowledge_base'
  | 'unknown_workflow'
  /** A chat application answers by its own model. */
  | 'workflow_not_allowed'
  | 'too_many_tokens'
  | 'token_not_found'
  | 'conversation_not_found'
  | 'message_not_found';

export class ApplicationRefused extends Error {
  override name = 'ApplicationRefused';
  readonly refusal: ApplicationRefusal;

  constructor(refusal: ApplicationRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

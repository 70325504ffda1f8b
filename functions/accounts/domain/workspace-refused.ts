export type WorkspaceRefusal =
  | 'wrong_name'
  | 'deletion_requested'
  | 'no_deletion'
  | 'deletion_begun'
  | 'export_not_found'
  | 'export_limit';

/** A refusal about a workspace as a whole. The message is for the client. */
export class WorkspaceRefused extends Error {
  override name = 'WorkspaceRefused';
  readonly refusal: WorkspaceRefusal;

  constructor(refusal: WorkspaceRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

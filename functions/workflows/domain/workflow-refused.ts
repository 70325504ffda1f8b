import type { GraphIssue } from './graph/graph-issue.ts';

/** Why a workflow, or a change of one, is not accepted. */
export type WorkflowRefusal =
  /** No such workflow, or another workspace's. */
  | 'not_found'
  | 'version_not_found'
  | 'name_taken'
  /** Changed by another call since the client read it. */
  | 'changed'
  | 'invalid_graph'
  | 'graph_too_large'
  | 'invalid_dsl';

export class WorkflowRefused extends Error {
  override name = 'WorkflowRefused';
  readonly refusal: WorkflowRefusal;
  readonly issues: readonly GraphIssue[];

  constructor(refusal: WorkflowRefusal, message: string, issues: readonly GraphIssue[] = []) {
    super(message);
    this.refusal = refusal;
    this.issues = issues;
  }
}

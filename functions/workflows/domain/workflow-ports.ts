import type { Workflow, WorkflowId, WorkflowVersion } from './workflow.ts';

export type CreateOutcome = 'created' | 'name_taken';
export type ReplaceOutcome = 'replaced' | 'name_taken' | 'changed';

/** Stored workflows and their versions. Reads are strongly consistent. */
export interface Workflows {
  find(id: WorkflowId): Promise<Workflow | null>;
  /** Newest first. @param before only those older than the workflow of this id. */
  list(workspaceId: string, limit: number, before: string | null): Promise<Workflow[]>;
  create(workflow: Workflow): Promise<CreateOutcome>;
  /**
   * Replaces `seen` by `next`, and stores a version.
   * @param published null without a new version.
   */
  replace(seen: Workflow, next: Workflow, published: WorkflowVersion | null): Promise<ReplaceOutcome>;
  /** Removes it with its versions. @returns false when it has changed, or is gone, since it was read. */
  remove(seen: Workflow): Promise<boolean>;
  findVersion(id: WorkflowId, number: number): Promise<WorkflowVersion | null>;
  /** Newest first. @param before only those with a smaller number. */
  listVersions(id: WorkflowId, limit: number, before: number | null): Promise<WorkflowVersion[]>;
}

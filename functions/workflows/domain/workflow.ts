import type { Graph } from './graph/graph.ts';

export interface WorkflowId {
  readonly workspaceId: string;
  readonly workflowId: string;
}

export interface Workflow extends WorkflowId {
  /** Unique in its workspace. */
  readonly name: string;
  readonly description: string;
  /** The current draft; it changes with every save. */
  readonly draft: Graph;
  /** Number of the version that applications run; null before the first one. */
  readonly publishedVersion: number | null;
  /** Grows with every change. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A graph that was published; it never changes. */
export interface WorkflowVersion extends WorkflowId {
  /** 1 for the first one. */
  readonly number: number;
  readonly graph: Graph;
  readonly publishedAt: string;
  readonly note: string;
}

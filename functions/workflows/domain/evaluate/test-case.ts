import type { Json, JsonObject } from '../graph/graph.ts';

/** One run with given inputs and its expected outcome. */
export interface TestCase {
  readonly name: string;
  readonly inputs: JsonObject;
  readonly query: string;
  readonly files: readonly Json[];
  readonly pinned: Readonly<Record<string, JsonObject>>;
  /** The status that the run is to end with. */
  readonly status: 'succeeded' | 'failed';
  readonly checks: readonly Check[];
}

/** An expectation of one value: "answer", or "outputs" with a path behind it. */
export type Check = { readonly of: string } & (
  | { readonly kind: 'equals'; readonly value: Json }
  | { readonly kind: 'contains'; readonly texts: readonly string[] }
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'judgement'; readonly criteria: string }
);

export interface CaseReport {
  readonly name: string;
  readonly hasPassed: boolean;
  /** Null where no run started. */
  readonly runId: string | null;
  readonly status: string;
  readonly answer: string;
  /** Why it has not passed. */
  readonly reasons: readonly string[];
  readonly elapsedMs: number;
}

export const MAX_CASES = 50;
export const MAX_CHECKS = 20;

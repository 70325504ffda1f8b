import { numberField } from './fields.ts';
import type { GraphNode } from './graph.ts';

/** Time of nodes in seconds, unless their configuration says otherwise. */
export const DEFAULT_SECONDS = {
  agent: 60,
  classifier: 60,
  code: 30,
  http_request: 30,
  extract: 60,
  tool: 60,
  knowledge_search: 20,
  template: 1,
  list_operator: 1,
  document_extractor: 60,
  sub_workflow: 120,
  parameter_extractor: 60,
} as const satisfies Partial<Record<GraphNode['type'], number>>;

/** Longest time of a node, in seconds. */
export function nodeSeconds({ type, config }: GraphNode): number {
  return numberField(
    config,
    'timeout_seconds',
    (DEFAULT_SECONDS as Partial<Record<GraphNode['type'], number>>)[type] ?? 30,
  );
}

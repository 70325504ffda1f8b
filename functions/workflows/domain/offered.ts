import { listField } from './graph/fields.ts';
import type { GraphNode, NodeType } from './graph/graph.ts';
import type { Offered } from './graph/validate-graph.ts';

/** Types whose nodes nothing performs yet. */
const MISSING: readonly NodeType[] = ['tool'];

/** What runs of this platform can do. */
export const offered: Offered = {
  refusalOf(node: GraphNode): string | null {
    if (MISSING.includes(node.type))
      return `is ${node.type}, which runs of this platform cannot perform yet. Remove the node.`;
    if (node.type === 'agent' && listField(node.config, 'tools').length > 0)
      return 'is agent with config.tools, which runs of this platform cannot perform yet. Remove the tools.';
    return null;
  },
};

/** What is wrong with a graph: where, and how to mend it. */
export interface GraphIssue {
  /** Null: of the graph as a whole. */
  readonly nodeId: string | null;
  readonly field: string | null;
  /** A whole sentence that names both. */
  readonly message: string;
}

/** @param what the rest of the sentence, behind the node and its field. */
export function ofNode(nodeId: string, field: string, what: string): GraphIssue {
  return { nodeId, field, message: `Node ${JSON.stringify(nodeId)}: ${field} ${what}` };
}

export function ofGraph(field: string, message: string): GraphIssue {
  return { nodeId: null, field, message };
}

import { compiledGraph } from './compiled-graph.ts';
import type { Graph } from './graph.ts';
import { type GraphIssue, withTitles } from './graph-issue.ts';
import { edgeIssues } from './rules/edges.ts';
import { nodeIssues } from './rules/nodes.ts';
import { referenceIssues } from './rules/references.ts';
import { scopeIssues } from './rules/scopes.ts';
import { shapeIssues } from './rules/shape.ts';
import { variableIssues } from './rules/variables.ts';
import { warningsOf } from './rules/warnings.ts';

/** Everything that is wrong with a graph. It can be run when none of it is an error. */
export function graphIssues(graph: Graph): readonly GraphIssue[] {
  return issuesOf(graph).map(withTitles(graph.nodes));
}

function issuesOf(graph: Graph): readonly GraphIssue[] {
  const shape = shapeIssues(graph);
  if (shape.length > 0) return shape;
  const nodes = graph.nodes.flatMap(nodeIssues);
  const compiled = compiledGraph(graph);
  const structure = [...edgeIssues(graph, compiled), ...scopeIssues(compiled)];
  // References are judged along the ways through the graph: it must have some.
  const references = structure.length > 0 ? [] : referenceIssues(compiled);
  return [...variableIssues(graph), ...nodes, ...structure, ...references, ...warningsOf(graph)];
}

import { textField } from './graph/fields.ts';
import type { Graph } from './graph/graph.ts';
import { type GraphIssue, ofNode, withTitles } from './graph/graph-issue.ts';
import { said } from './graph/issue-texts.ts';

/** Nodes that would run the workflow that they belong to: each run would start further ones. */
export function selfCallIssues(graph: Graph, workflowId: string): readonly GraphIssue[] {
  return graph.nodes
    .filter(
      ({ type, config }) => type === 'sub_workflow' && textField(config, 'workflow_id').toLowerCase() === workflowId,
    )
    .map(({ id }) => ofNode(id, 'config.workflow_id', said('calls_itself')))
    .map(withTitles(graph.nodes));
}

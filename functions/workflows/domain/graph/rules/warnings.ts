import { listField, textField } from '../fields.ts';
import type { Graph, GraphNode } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode, warning } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';
import { referencesIn, soleReference } from '../references.ts';

/** Faults that prevent no graph from being stored, but that its author should know. */
export function warningsOf(graph: Graph): GraphIssue[] {
  const hasAnswer = graph.nodes.some(({ type }) => type === 'answer');
  return [
    ...(hasAnswer ? [] : [warning(ofGraph('nodes', said('no_answer')))]),
    ...withoutModel(graph),
    ...graph.nodes.flatMap(toBeConnected),
    ...graph.nodes.flatMap(unencodedText),
  ];
}

/** Agents that have only the model of the application that is chatted with. */
function withoutModel({ nodes }: Graph): GraphIssue[] {
  return nodes
    .filter(({ type, config }) => type === 'agent' && config.application_id === undefined)
    .filter(({ config }) => config.passages === undefined)
    .map(({ id }) => warning(ofNode(id, 'config.application_id', said('no_model'))));
}

/** Places where a user's text could add parameters or members. */
function unencodedText({ id, type, config }: GraphNode): GraphIssue[] {
  if (type !== 'http_request') return [];
  const [url, body] = [textField(config, 'url'), textField(config, 'body')];
  const query = url.indexOf('?');
  const inQuery = query >= 0 && !referencesIn(url.slice(query)).next().done;
  const inBody = /^\s*[{[]/.test(body) && soleReference(body) === null && !referencesIn(body).next().done;
  return [
    ...(inQuery ? [warning(ofNode(id, 'config.url', said('query_unencoded')))] : []),
    ...(inBody ? [warning(ofNode(id, 'config.body', said('body_unencoded')))] : []),
  ];
}

/** Nodes of an imported graph that need something of the workspace before they can run. */
function toBeConnected({ id, type, config }: GraphNode): GraphIssue[] {
  const origin = textField(config, 'imported_from');
  if (type === 'tool' && origin !== '')
    return [
      warning(
        ofNode(
          id,
          'config.tool',
          said('tool_to_connect', {
            origin: JSON.stringify(origin),
            tool: JSON.stringify(textField(config, 'tool')),
          }),
        ),
      ),
    ];
  if (type === 'agent' && origin !== '')
    return [warning(ofNode(id, 'config.tools', said('tools_to_connect', { origin: JSON.stringify(origin) })))];
  if (type === 'knowledge_search' && listField(config, 'knowledge_base_ids').length === 0)
    return [warning(ofNode(id, 'config.knowledge_base_ids', said('no_knowledge')))];
  return [];
}

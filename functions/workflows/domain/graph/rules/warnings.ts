import { listField, textField } from '../fields.ts';
import type { Graph, GraphNode } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode, warning } from '../graph-issue.ts';
import { referencesIn, soleReference } from '../references.ts';

/** Faults that prevent no graph from being stored, but that its author should know. */
export function warningsOf(graph: Graph): GraphIssue[] {
  const hasAnswer = graph.nodes.some(({ type }) => type === 'answer');
  return [
    ...(hasAnswer
      ? []
      : [warning(ofGraph('nodes', 'The graph has no answer: its runs give out nothing. Add a node of type answer.'))]),
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
    .map(({ id }) =>
      warning(
        ofNode(
          id,
          'config.application_id',
          'is missing: the model is that of the application which is chatted with. In other runs, or where that has no language model, the node fails with no_model.',
        ),
      ),
    );
}

/** Places where a user's text could add parameters or members. */
function unencodedText({ id, type, config }: GraphNode): GraphIssue[] {
  if (type !== 'http_request') return [];
  const [url, body] = [textField(config, 'url'), textField(config, 'body')];
  const query = url.indexOf('?');
  const inQuery = query >= 0 && !referencesIn(url.slice(query)).next().done;
  const inBody = /^\s*[{[]/.test(body) && soleReference(body) === null && !referencesIn(body).next().done;
  return [
    ...(inQuery
      ? [
          warning(
            ofNode(
              id,
              'config.url',
              'has references in its query, whose texts are not encoded. Move them to config.params.',
            ),
          ),
        ]
      : []),
    ...(inBody
      ? [
          warning(
            ofNode(id, 'config.body', 'writes JSON around references, whose texts are not encoded. Make it an object.'),
          ),
        ]
      : []),
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
          `is to be connected: it comes from ${JSON.stringify(origin)}. Set config.application_id to an application with a tool named ${JSON.stringify(textField(config, 'tool'))}, and remove config.imported_from.`,
        ),
      ),
    ];
  if (type === 'agent' && origin !== '')
    return [
      warning(
        ofNode(
          id,
          'config.tools',
          `are to be connected: they come from ${JSON.stringify(origin)}. Set config.application_id to an application with tools of these names, and remove config.imported_from.`,
        ),
      ),
    ];
  if (type === 'knowledge_search' && listField(config, 'knowledge_base_ids').length === 0)
    return [
      warning(
        ofNode(
          id,
          'config.knowledge_base_ids',
          'is empty: the node fails when it runs. Name a knowledge base of the workspace.',
        ),
      ),
    ];
  return [];
}

import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphSettings,
  type JsonObject,
  NO_RETRY,
  type NodeType,
} from '../../../functions/workflows/domain/graph/graph.ts';

/** A node of a test's graph, with what a test does not care about left out. */
export function node(id: string, type: NodeType, config: JsonObject = {}, more: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    type,
    parentId: null,
    title: id,
    inputs: {},
    config,
    onError: 'fail',
    defaultOutput: null,
    retry: NO_RETRY,
    position: null,
    ...more,
  };
}

/** Edges as texts: `a > b`, or `a:handle > b`. */
export function edges(...ways: readonly string[]): readonly GraphEdge[] {
  return ways.map((way) => {
    const [from, target] = way.split(' > ') as [string, string];
    const [source, sourceHandle = DEFAULT_HANDLE] = from.split(':') as [string, string?];
    return { id: way, source, target, sourceHandle };
  });
}

export function graph(
  nodes: readonly GraphNode[],
  ways: readonly string[],
  settings: Partial<GraphSettings> = {},
): Graph {
  return { version: 1, nodes, edges: edges(...ways), settings: { ...DEFAULT_SETTINGS, ...settings } };
}

/** A chat that asks the model of an application, appends the message to a conversation variable, and answers with all of them as JSON. */
export const listingQueries = (application: string): Graph => ({
  ...graph(
    [
      node('start', 'start'),
      node('ask', 'agent', { prompt: '{{sys.query}}', application_id: application }),
      node('add', 'assigner', {
        items: [{ variable: 'conversation.said', operation: 'append', value: '{{sys.query}}' }],
      }),
      node('say', 'answer', { text: '{{conversation.said}}' }),
    ],
    ['start > ask', 'ask > add', 'add > say'],
  ),
  conversation: [{ name: 'said', type: 'list', initial: [], description: '' }],
});

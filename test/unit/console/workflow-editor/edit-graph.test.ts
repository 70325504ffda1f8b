import { expect, it } from 'vitest';
import {
  clipOf,
  connected,
  keyOf,
  withClip,
  withNewNode,
  withNode,
  withoutEdges,
  withoutNodes,
} from '../../../../console/src/pages/workflows/editor/edit-graph.ts';
import type { Graph, GraphNode } from '../../../../console/src/pages/workflows/graph.ts';

const node = (id: string, type: string, config: object = {}, parent_id?: string): GraphNode => ({
  id,
  type,
  ...(parent_id && { parent_id }),
  position: { x: 0, y: 0 },
  data: { title: id, config: { ...config } },
});
const condition = (...ids: readonly string[]) =>
  node('if', 'condition', { cases: ids.map((id) => ({ id, match: 'all', conditions: [] })) });
const graphOf = (nodes: readonly GraphNode[], ...edges: readonly [string, string, string?][]): Graph => ({
  version: 1,
  nodes: [...nodes],
  edges: edges.map(([source, target, sourceHandle]) => ({ source, target, ...(sourceHandle && { sourceHandle }) })),
});
const ways = ({ edges }: Graph) => edges.map(keyOf).map((key) => JSON.parse(key).join(' '));

it('a node goes with its edges, and an iteration with everything inside it', () => {
  const graph = graphOf(
    [
      node('start', 'start'),
      node('each', 'iteration'),
      node('in', 'loop', {}, 'each'),
      node('deep', 'code', {}, 'in'),
      node('end', 'answer'),
    ],
    ['start', 'each'],
    ['each', 'end'],
    ['start', 'end'],
  );
  const left = withoutNodes(graph, new Set(['each']));
  expect(left.nodes.map(({ id }) => id)).toEqual(['start', 'end']);
  expect(ways(left)).toEqual(['start out end']);
});

it('of two exits that lead to one node, only the deleted one goes', () => {
  const graph = graphOf(
    [condition('a', 'b'), node('end', 'answer')],
    ['if', 'end', 'a'],
    ['if', 'end', 'b'],
    ['if', 'end', 'else'],
  );
  const left = withoutEdges(graph, new Set([keyOf({ source: 'if', target: 'end', sourceHandle: 'b' })]));
  expect(ways(left)).toEqual(['if a end', 'if else end']);
});

it('a connection is made once, with the default exit in either form, and never to the node itself', () => {
  const graph = graphOf([node('a', 'code'), node('b', 'answer')], ['a', 'b']);
  expect(connected(graph, { source: 'a', target: 'b', sourceHandle: 'out' })).toBe(graph);
  expect(connected(graph, { source: 'a', target: 'a', sourceHandle: null })).toBe(graph);
  expect(ways(connected(graph, { source: 'b', target: 'a' }))).toEqual(['a out b', 'b out a']);
});

it('the edge of a renamed exit follows it, that of a removed one goes', () => {
  const nodes = [condition('a', 'b'), node('x', 'answer'), node('y', 'answer')];
  const graph = graphOf(nodes, ['if', 'x', 'a'], ['if', 'y', 'b']);
  expect(ways(withNode(graph, condition('a', 'large')))).toEqual(['if a x', 'if large y']);
  expect(ways(withNode(graph, condition('b')))).toEqual(['if b y']);
});

it('a new node continues the selected one at its first free exit', () => {
  const graph = graphOf([node('ask', 'approval'), node('yes', 'answer')], ['ask', 'yes', 'approved']);
  const next = withNewNode(graph, node('no', 'answer'), graph.nodes[0]);
  expect(ways(next)).toEqual(['ask approved yes', 'ask rejected no']);
});

it('a new node comes between the selected one and the next where all exits are taken', () => {
  const graph = graphOf([node('start', 'start'), node('end', 'answer')], ['start', 'end']);
  expect(ways(withNewNode(graph, condition('a'), graph.nodes[0]))).toEqual(['start out if', 'if a end']);
  expect(ways(withNewNode(graph, node('stop', 'break'), graph.nodes[0]))).toEqual(['start out end']);
});

it('copies have new ids, edges and references among each other, and keep references to other nodes', () => {
  const graph = graphOf(
    [
      node('start', 'start'),
      node('code', 'code', { code: '' }),
      node('end', 'answer', { text: '{{code.n}} {{start.v}} {{ code.m | start.v }}' }),
    ],
    ['start', 'code'],
    ['code', 'end'],
  );
  const copied = withClip(graph, clipOf(graph, new Set(['start', 'code', 'end'])));
  expect([...copied.ids]).toEqual(['code_2', 'answer']);
  expect(copied.graph.nodes.at(-1)!.data?.config?.text).toBe('{{code_2.n}} {{start.v}} {{ code_2.m | start.v }}');
  expect(ways(copied.graph)).toEqual(['start out code', 'code out end', 'code_2 out answer']);
});

import { expect, it } from 'vitest';
import { differences } from '../../../console/src/pages/workflows/differences.ts';

const node = (id: string, config: object, x = 0) => ({ id, type: 'template', position: { x, y: 0 }, data: { config } });
type Graph = Parameters<typeof differences>[0];

const graph = (nodes: Graph['nodes'], edges: Graph['edges']): Graph => ({ nodes, edges });

it('Two versions of a workflow differ by the nodes and connections that were added, removed or changed', () => {
  const before = graph([node('a', { text: 'one' }), node('b', {})], [{ source: 'a', target: 'b' }]);
  const after = graph([node('a', { text: 'two' }), node('c', {})], [{ source: 'a', target: 'c', sourceHandle: 'out' }]);
  expect(differences(before, after).map(({ kind, what, name }) => `${kind} ${what} ${name}`)).toEqual([
    'changed node a',
    'removed node b',
    'added node c',
    'removed edge a → b (out)',
    'added edge a → c (out)',
  ]);
});

it('A node that was only moved, or whose members are in another order, is not a difference between versions', () => {
  const before = graph([node('a', { text: 'one', to: { x: 1, y: 2 } })], []);
  const after = graph([node('a', { to: { y: 2, x: 1 }, text: 'one' }, 300)], []);
  expect(differences(before, after)).toEqual([]);
});

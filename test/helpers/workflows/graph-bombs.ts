import { type Graph, MAX_EDGES, MAX_NODES } from '../../../functions/workflows/domain/graph/graph.ts';
import { graph, node } from './graphs.ts';

const start = node('start', 'start');
const assign = (id: string, value: string) => node(id, 'variable_assign', { values: { v: value } });

/** As many edges as may be between as many nodes as may be, each node with `references` to ones before it. */
export function denseGraph(references: number, textOf: (at: number, n: number) => string): Graph {
  const count = MAX_NODES - 1;
  const nodes = Array.from({ length: count }, (_, at) => {
    const texts = Array.from({ length: at === 0 ? 1 : references }, (_, n) =>
      at === 0 ? '{{sys.query}}' : textOf(at, n),
    );
    return assign(`n${at}`, texts.join(''));
  });
  const edges = ['start > n0'];
  for (let length = 1; edges.length < MAX_EDGES; length++)
    for (let at = 0; at + length < count && edges.length < MAX_EDGES; at++) edges.push(`n${at} > n${at + length}`);
  return graph([start, ...nodes], edges);
}

/** Every node refers to a hundred others. */
export const referringGraph = () => denseGraph(110, (at, n) => `{{n${at - 1 - (n % at)}.v}}`);

/** References that each name three nodes. */
export const alternativesGraph = (references: number) =>
  denseGraph(references, (at, n) => `{{n${at - 1}.v | n${(at * 7 + n) % at}.v | n${(at * 3 + n) % at}.v}}`);

/** One id and one title, thousands of times. */
export function repeatedGraph(): Graph {
  return graph(
    [start, ...Array.from({ length: 5_000 }, () => assign('same', '1'))],
    Array.from({ length: 5_000 }, () => 'start > same'),
  );
}

import { expect, it } from 'vitest';
import { graphIssues } from '../../../functions/workflows/domain/graph/validate-graph.ts';
import { alternativesGraph, referringGraph, repeatedGraph } from '../../helpers/workflows/graph-bombs.ts';

const messages = (of: Parameters<typeof graphIssues>[0]) => graphIssues(of).map(({ message }) => message);

it('a graph with more references than anyone would write is judged, each of them', () => {
  const bomb = referringGraph();
  expect(JSON.stringify(bomb).length).toBeGreaterThan(250_000);
  expect(messages(bomb)).toEqual([expect.stringContaining('The graph has no answer')]);
});

it('references with alternatives are judged up to 500', () => {
  expect(messages(alternativesGraph(2))).toEqual([expect.stringContaining('The graph has no answer')]);
  expect(messages(alternativesGraph(3))).toContainEqual(
    'The graph has 594 references with alternatives, like {{a.text | b.text}}. Leave at most 500.',
  );
});

it('of a graph with too many nodes or edges nothing else is judged', () => {
  expect(messages(repeatedGraph())).toEqual([
    'The graph has 5001 nodes. Leave at most 200.',
    'The graph has 5000 edges. Leave at most 800.',
  ]);
});

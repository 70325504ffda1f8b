import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compiledGraph } from '../../functions/workflows/domain/graph/compiled-graph.ts';
import { graphIssues } from '../../functions/workflows/domain/graph/validate-graph.ts';
import { Random } from '../helpers/random.ts';
import { checkSeed, Seen } from '../helpers/workflows/simulator/check-seed.ts';
import { randomGraph } from '../helpers/workflows/simulator/random-graph.ts';
import { simulatedRun } from '../helpers/workflows/simulator/simulated-run.ts';

const SIMULATED = [
  ...['code', 'condition', 'classifier', 'variable_assign', 'answer', 'approval', 'iteration', 'loop', 'break'],
  ...['assigner', 'list_operator', 'document_extractor', 'parameter_extractor', 'agent', 'sub_workflow'],
  ...['human_input', 'tool'],
];
const isMany = (count: unknown) => Number(count) > 5;

// `npm run bench simulator` checks many more.
it('random graphs with all kinds of nodes, under random schedules, end as a naive interpreter says', () => {
  const seen = new Seen();
  fc.assert(
    fc.property(fc.integer(), (seed) => checkSeed(seed, seen)),
    { numRuns: 5_000 },
  );
  // A schedule that never fails, or never restarts, would prove little; nor would a type that never runs.
  expect(Math.min(seen.succeeded, seen.failed, seen.cancelled, seen.restarts)).toBeGreaterThan(5);
  for (const type of SIMULATED) expect([type, seen.types.get(type) ?? 0]).toEqual([type, expect.toSatisfy(isMany)]);
});

it('what validation lets through is always produced before it is used', () => {
  let judged = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = new Random(seed);
      const graph = randomGraph(random);
      const wrong = new Set(graphIssues(graph).map(({ nodeId }) => nodeId));
      const { events, shown } = simulatedRun(compiledGraph(graph), seed, random);
      if (events.some(({ type }) => type === 'cancelled')) return;
      const finished = new Set<string>();
      for (const output of shown) {
        if (output.kind !== 'event') continue;
        const { execution_key: key, node_id: id, status } = output.payload;
        // The default output of a node that failed counts as produced.
        const of = graph.nodes.find((each) => each.id === id);
        if (output.type === 'node_finished' && (status === 'succeeded' || of?.onError === 'default'))
          finished.add(String(key));
        if (output.type !== 'node_started' || wrong.has(String(id)) || of?.type === 'condition') continue;
        const at = String(key).slice(0, String(key).length - String(id).length);
        for (const [, name] of JSON.stringify([of?.inputs, of?.config.values]).matchAll(/\{\{(n\d+)\./g)) {
          judged += 1;
          if (!isProduced(name!, at, finished)) throw new Error(`${key} refers to ${name}, which was not produced`);
        }
      }
    }),
    { numRuns: 2_000 },
  );
  expect(judged).toBeGreaterThan(500);
});

/** Whether a node has given something out in a frame, or in one around it; the owner of a frame counts in it. */
function isProduced(id: string, frame: string, finished: ReadonlySet<string>): boolean {
  for (let at = frame; ; at = at.slice(0, at.slice(0, -1).lastIndexOf('/') + 1)) {
    if (finished.has(at + id) || at.slice(0, -1).split('/').at(-1)?.split('[')[0] === id) return true;
    if (at === '') return false;
  }
}

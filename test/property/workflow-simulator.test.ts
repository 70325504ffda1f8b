import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compiledGraph } from '../../functions/workflows/domain/graph/compiled-graph.ts';
import { graphIssues } from '../../functions/workflows/domain/graph/validate-graph.ts';
import { orderFault, Random, randomGraph, referenceRun, simulatedRun } from '../helpers/workflows/simulator.ts';

it('ten thousand graphs under random schedules end as a naive interpreter says', () => {
  const seen = { succeeded: 0, failed: 0, cancelled: 0, restarts: 0 };
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = new Random(seed);
      const graph = randomGraph(random);
      const compiled = compiledGraph(graph);
      const { machine, shown, restarts } = simulatedRun(compiled, seed, random);
      const expected = referenceRun(compiled, seed);
      const fault = orderFault(shown);
      if (fault !== null) throw new Error(fault);
      seen[machine.status as 'succeeded'] += 1;
      seen.restarts += restarts;
      if (machine.status !== 'cancelled' && (machine.status === 'failed') !== expected.isFatal)
        throw new Error(`The run ${machine.status}: ${JSON.stringify(machine.failure)}`);
      const given = new Map<string, unknown>();
      for (const output of shown)
        if (output.kind === 'event' && output.type === 'node_finished' && output.payload.status === 'succeeded')
          given.set(String(output.payload.execution_key), output.payload.outputs);
      for (const [key, outputs] of given) {
        const { errors: _, ...rest } = outputs as Record<string, unknown>;
        if (JSON.stringify(sorted(rest)) !== JSON.stringify(sorted(expected.outputs.get(key))))
          throw new Error(`${key} gave out ${JSON.stringify(rest)}, not ${JSON.stringify(expected.outputs.get(key))}`);
      }
      if (machine.status !== 'succeeded') return;
      for (const key of expected.outputs.keys())
        if (!given.has(key) && ![...expected.within].some((prefix) => key.startsWith(prefix)))
          throw new Error(`${key} was left out`);
    }),
    { numRuns: 10_000 },
  );
  // A schedule that never fails, or never restarts, would prove little.
  expect(Math.min(seen.succeeded, seen.failed, seen.cancelled, seen.restarts)).toBeGreaterThan(20);
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
        for (const [, name] of JSON.stringify(of?.type === 'code' ? of.inputs : (of?.config.values ?? {})).matchAll(
          /\{\{(\w+)\.v/g,
        )) {
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

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { compiledGraph } from '../../../../functions/workflows/domain/graph/compiled-graph.ts';
import type { JsonObject } from '../../../../functions/workflows/domain/graph/graph.ts';
import { Random } from '../../random.ts';
import { orderFault } from './event-order.ts';
import { randomGraph } from './random-graph.ts';
import { referenceRun } from './reference-run.ts';
import { simulatedRun } from './simulated-run.ts';

/** How the runs of some seeds have ended, and the types of nodes that have succeeded in them. */
export class Seen {
  succeeded = 0;
  failed = 0;
  cancelled = 0;
  restarts = 0;
  readonly types = new Map<string, number>();
}

/**
 * Runs the random graph of a seed under its random schedule, and compares it with the naive interpreter.
 * @throws Error that names the difference
 */
export function checkSeed(seed: number, seen: Seen): void {
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
  for (const output of shown) {
    if (output.kind !== 'event' || output.type !== 'node_finished' || output.payload.status !== 'succeeded') continue;
    const type = String(output.payload.node_type);
    seen.types.set(type, (seen.types.get(type) ?? 0) + 1);
    given.set(String(output.payload.execution_key), output.payload.outputs);
  }
  for (const [key, outputs] of given) {
    const { errors: _, ...rest } = outputs as Record<string, unknown>;
    requireSame(key, rest, expected.outputs.get(key));
  }
  if (machine.status !== 'succeeded') return;
  for (const key of expected.outputs.keys())
    if (!given.has(key) && ![...expected.within].some((prefix) => key.startsWith(prefix)))
      throw new Error(`${key} was left out`);
  // Of a pass that fails, others may or may not have got as far as their assigners.
  if (expected.within.size === 0)
    requireSame('conversation', ordered(machine.conversation), ordered(expected.conversation));
}

/** Variables that passes at the same time do not race for. */
function ordered(conversation: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(conversation).filter(([name]) => name.startsWith('ordered')));
}

function requireSame(name: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(sorted(found)) !== JSON.stringify(sorted(expected)))
    throw new Error(`${name} gave out ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

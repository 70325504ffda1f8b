import { type Profiler, Session } from 'node:inspector/promises';
import { stepOf } from './steps.ts';

const SAMPLE_MICROSECONDS = 500;

/** Runs an action and says which share of its JavaScript each step had, 0 to 1. */
export async function sampled<T>(
  action: () => Promise<T>,
): Promise<{ readonly result: T; readonly shares: ReadonlyMap<string, number> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  try {
    const result = await action();
    const { profile } = await session.post('Profiler.stop');
    return { result, shares: sharesOf(profile) };
  } finally {
    session.disconnect();
  }
}

/** V8's names for its own time. */
const IDLE = new Set(['(idle)', '(program)', '(root)']);

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ReadonlyMap<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const stackOf = (id: number) => {
    const stack = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) stack.push(frames.get(at)!);
    return stack;
  };
  const steps = new Map(
    nodes.map(({ id, callFrame }) => [id, IDLE.has(callFrame.functionName) ? null : stepOf(stackOf(id))]),
  );
  const took = new Map<string, number>();
  for (const [n, id] of samples.entries()) {
    const step = steps.get(id);
    if (step) took.set(step, (took.get(step) ?? 0) + Math.max(0, timeDeltas[n] ?? 0));
  }
  const all = [...took.values()].reduce((sum, one) => sum + one, 0);
  return new Map([...took].map(([step, one]) => [step, one / Math.max(1, all)]));
}

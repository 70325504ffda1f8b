import type { Command, EngineEvent, Output } from '../../../../functions/workflows/domain/engine/engine-events.ts';
import { RunMachine } from '../../../../functions/workflows/domain/engine/run-machine.ts';
import type { CompiledGraph } from '../../../../functions/workflows/domain/graph/compiled-graph.ts';
import type { Random } from '../../random.ts';
import { decisionOf, fate, formOf } from './fates.ts';

export interface SimulatedRun {
  readonly machine: RunMachine;
  readonly shown: readonly Output[];
  readonly events: readonly EngineEvent[];
  readonly restarts: number;
}

/** Drives a machine by a random schedule, with duplicates, stale events and restarts from the record. */
export function simulatedRun(compiled: CompiledGraph, seed: number, random: Random): SimulatedRun {
  let machine = new RunMachine(compiled);
  const events: EngineEvent[] = [];
  let shown: Output[] = [];
  const begun = new Set<string>();
  let open: Command[] = [];
  let nowMs = 1_000_000;
  let restarts = 0;
  const take = (commands: readonly Command[]): void => {
    for (const command of commands) {
      if (command.type === 'abort') open = open.filter((each) => each.type === 'end' || each.key !== command.key);
      else if (command.type !== 'end') {
        const name = `${command.type} ${command.key} ${'attempt' in command ? command.attempt : ''}`;
        if (begun.has(name)) throw new Error(`${name} was commanded twice.`);
        begun.add(name);
        open.push(command);
      }
    }
  };
  const apply = (event: EngineEvent): void => {
    events.push(event);
    const { commands, outputs } = machine.apply(event);
    shown.push(...outputs);
    take(commands);
  };
  apply({ type: 'begun', atMs: nowMs, inputs: {}, context: { sys: {}, history: [] } });
  for (let steps = 0; machine.status === 'running'; steps++) {
    if (steps > 5_000) throw new Error('The run does not end.');
    if (open.length === 0) throw new Error('The run continues, but nothing is under way.');
    nowMs += random.below(20);
    if (random.chance(0.05)) {
      // Running effects are known from the record alone.
      const restored = new RunMachine(compiled);
      const again = events.flatMap((event) => [...restored.apply(event).outputs]);
      const names = (commands: readonly Command[]) =>
        JSON.stringify(commands.map((each) => JSON.stringify(each)).sort());
      if (names(restored.outstanding()) !== names(open)) throw new Error('A restored run is in another state.');
      if (JSON.stringify(again) !== JSON.stringify(shown)) throw new Error('A restored run shows something else.');
      machine = restored;
      shown = again;
      open = [...restored.outstanding()];
      restarts += 1;
    }
    if (random.chance(0.05)) {
      const stale = { ...random.pick(events), atMs: nowMs };
      const before = machine.outstanding().length;
      const { commands } = machine.apply(stale);
      if (stale.type !== 'begun' && commands.length > 0) throw new Error('An event was taken twice.');
      if (machine.outstanding().length !== before) throw new Error('An event was taken twice.');
      events.push(stale);
    }
    if (random.chance(0.002)) {
      apply({ type: 'cancelled', atMs: nowMs, by: 'user' });
      break;
    }
    const command = open.splice(random.below(open.length), 1)[0]!;
    if (command.type === 'run') {
      const { key, attempt } = command;
      const end = fate(seed, command);
      if (end.isFailure)
        apply({
          type: 'failed',
          atMs: nowMs,
          key,
          attempt,
          isPassing: end.isPassing,
          failure: { code: 'boom', message: 'boom' },
        });
      else apply({ type: 'done', atMs: nowMs, key, attempt, outputs: end.outputs, handle: end.handle });
    } else if (command.type === 'delay')
      apply({ type: 'delay_over', atMs: nowMs, key: command.key, attempt: command.attempt });
    else if (command.type === 'await_decision') {
      const { key } = command;
      const decision = decisionOf(seed, key);
      const isForm = machine.pendingDecisions.some((each) => each.key === key && each.node.type === 'human_input');
      const told = { atMs: nowMs, key, by: 'user', comment: '' };
      if (decision === 'expired') apply({ type: 'approval_expired', atMs: nowMs, key });
      else if (isForm) apply({ type: 'decided', ...told, decision: 'submitted', values: formOf(seed, key) });
      else apply({ type: 'decided', ...told, decision });
    }
  }
  return { machine, shown, events, restarts };
}

import { createHash } from 'node:crypto';
import { holds } from '../../../functions/workflows/domain/engine/conditions.ts';
import type { Command, EngineEvent, Output } from '../../../functions/workflows/domain/engine/engine-events.ts';
import { RunMachine } from '../../../functions/workflows/domain/engine/run-machine.ts';
import type { CompiledGraph, Scope } from '../../../functions/workflows/domain/graph/compiled-graph.ts';
import {
  type Graph,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
} from '../../../functions/workflows/domain/graph/graph.ts';
import { handlesOf } from '../../../functions/workflows/domain/graph/node-types.ts';
import { resolved } from '../../../functions/workflows/domain/graph/references.ts';
import { edges, node } from './graphs.ts';

/** Numbers from a seed, the same each time (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** A random graph: every node is reached, nothing is on a cycle, references name nodes that come before. */
export function randomGraph(random: Random): Graph {
  const nodes: GraphNode[] = [];
  const ways: string[] = [];
  let count = 0;
  const scope = (parentId: string | null, size: number, depth: number, outer: readonly string[]): void => {
    const own: GraphNode[] = [];
    const before = new Map<string, Set<string>>();
    for (let i = 0; i < size; i++) {
      const id = `n${count++}`;
      const ancestors = new Set<string>();
      const from = i === 0 ? [] : [...new Set([random.pick(own), random.pick(own), own.at(-1)!])];
      for (const source of from.slice(0, 1 + random.below(from.length))) {
        const handles = handlesOf(source);
        for (const handle of random.chance(0.15) ? handles : [random.pick(handles)])
          ways.push(`${source.id}:${handle} > ${id}`);
        ancestors.add(source.id);
        for (const each of before.get(source.id)!) ancestors.add(each);
      }
      before.set(id, ancestors);
      const known = [...ancestors, ...outer];
      const isFirst = parentId === null && i === 0;
      const made = isFirst ? node(id, 'start') : randomNode(id, parentId, random, known, depth < 2 && i < size - 1);
      own.push(made);
      nodes.push(made);
      if (made.type === 'iteration' || made.type === 'loop') scope(id, 1 + random.below(3), depth + 1, [...known, id]);
    }
  };
  scope(null, 3 + random.below(8), 0, []);
  const settings = { maxSteps: 20_000, timeoutSeconds: 3_600, concurrency: 1 + random.below(4) };
  return { version: 1, nodes, edges: edges(...new Set(ways)), settings };
}

function randomNode(
  id: string,
  parentId: string | null,
  random: Random,
  known: readonly string[],
  mayNest: boolean,
): GraphNode {
  const reference = (): Json =>
    known.length === 0 || random.chance(0.2) ? random.below(9) : `{{${random.pick(known)}.v}}`;
  const onError = random.pick(['fail', 'fail', 'fail', 'default', 'branch'] as const);
  const more = {
    parentId,
    onError,
    defaultOutput: onError === 'default' ? { v: random.below(9) } : null,
    retry: { maxAttempts: 1 + random.below(3), delayMs: random.below(50) },
  };
  const condition = { left: reference(), operator: random.pick(['gt', 'lt', 'equals', 'is_empty']), right: 4 };
  const draw = random.below(mayNest ? 10 : 8);
  if (draw < 3)
    return node(
      id,
      'code',
      { language: 'python', code: '1' },
      { ...more, inputs: { a: reference(), b: [reference()] } },
    );
  if (draw === 3) return node(id, 'condition', { cases: [{ id: 'yes', conditions: [condition] }] }, { parentId });
  if (draw === 4) {
    const classes = ['x', 'y', 'z'].map((each) => ({ id: each, name: each }));
    return node(
      id,
      'classifier',
      { query: 'q', classes },
      { ...more, defaultOutput: more.defaultOutput && { v: 1, class_id: 'y' } },
    );
  }
  if (draw === 5) return node(id, 'variable_assign', { values: { v: reference() } }, { parentId });
  if (draw === 6 && parentId === null) return node(id, 'answer', { text: `${id}: {{${known[0] ?? 'sys'}.v}}` });
  if (draw < 8)
    return node(id, 'approval', { message: 'Go on?' }, { parentId, onError, defaultOutput: more.defaultOutput });
  const body = { parentId, onError, defaultOutput: more.defaultOutput };
  if (draw === 8) {
    const items = random.chance(0.8) ? Array.from({ length: random.below(4) }, (_, i) => i) : reference();
    const handling = random.pick(['fail', 'null', 'skip']);
    const config = {
      items,
      output: `{{n${Number(id.slice(1)) + 1}.v}}`,
      concurrency: 1 + random.below(3),
      on_item_error: handling,
    };
    return node(id, 'iteration', config, body);
  }
  const until = random.chance(0.7)
    ? { until: { conditions: [{ left: `{{${id}.v}}`, operator: 'gt', right: 5 }] } }
    : {};
  return node(id, 'loop', { variables: { v: reference() }, max_passes: 1 + random.below(4), ...until }, body);
}

/** The result of an effect: the same for the same attempt on the same inputs. */
export function fate(seed: number, command: { key: string; attempt: number; node: GraphNode; inputs: Json }) {
  const { key, attempt, node: of, inputs } = command;
  const digest = createHash('md5')
    .update(JSON.stringify([seed, key, attempt, inputs]))
    .digest();
  const failsUpTo = (seed & 3) === 0 ? 90 : (seed & 3) === 1 ? 30 : 5;
  if (digest[0]! < failsUpTo) return { isFailure: true, isPassing: digest[1]! < 128 } as const;
  const handle = of.type === 'classifier' ? 'xyz'[digest[2]! % 3]! : 'out';
  return { isFailure: false, handle, outputs: { v: digest[3]! % 10 } satisfies JsonObject } as const;
}

export const decisionOf = (seed: number, key: string): 'approved' | 'rejected' | 'expired' =>
  (['approved', 'approved', 'rejected', 'expired'] as const)[
    createHash('md5').update(`${seed} ${key}`).digest()[0]! % 4
  ]!;

export interface ReferenceRun {
  readonly isFatal: boolean;
  /** Outputs by key, of every node that gave some out. */
  readonly outputs: ReadonlyMap<string, JsonObject>;
  /** Keys of what can only be relied on when nothing around it failed. */
  readonly within: ReadonlySet<string>;
}

/** A naive interpreter: one node after another in the order of the graph, without a schedule. */
export function referenceRun(compiled: CompiledGraph, seed: number): ReferenceRun {
  const outputs = new Map<string, JsonObject>();
  const within = new Set<string>();
  type Environment = ReadonlyMap<string, JsonObject>;
  const lookupIn =
    (environment: Environment) => (reference: { sources: readonly { node: string; path: readonly string[] }[] }) => {
      for (const { node: id, path } of reference.sources) {
        const found = environment.get(id);
        if (found) return (found[path[0]!] ?? null) as Json;
      }
      return null;
    };
  /** @returns null when a failure ended it. */
  const run = (scope: Scope, prefix: string, outer: Environment): Environment | null => {
    const environment = new Map(outer);
    const taken = new Map<string, string | null>();
    const stuck = new Set<string>();
    let isFatal = false;
    for (const each of scope.nodes) {
      const incoming = compiled.incoming.get(each.id)!;
      if (incoming.some(({ source }) => stuck.has(source))) {
        stuck.add(each.id);
        continue;
      }
      if (incoming.length > 0 && !incoming.some(({ source, sourceHandle }) => taken.get(source) === sourceHandle)) {
        taken.set(each.id, null);
        continue;
      }
      const ended = execute(each, prefix, environment);
      if (ended.outputs) {
        environment.set(each.id, ended.outputs);
        outputs.set(prefix + each.id, ended.outputs);
        taken.set(each.id, ended.handle);
      } else if (each.onError === 'branch') taken.set(each.id, 'error');
      else if (each.onError === 'default') {
        environment.set(each.id, each.defaultOutput!);
        taken.set(each.id, each.type === 'classifier' ? 'y' : each.type === 'approval' ? 'approved' : 'out');
      } else {
        isFatal = true;
        stuck.add(each.id);
      }
    }
    return isFatal ? null : environment;
  };
  const execute = (
    each: GraphNode,
    prefix: string,
    environment: Environment,
  ): { outputs: JsonObject | null; handle: string } => {
    const key = prefix + each.id;
    const value = (given: Json | undefined) => resolved(given ?? null, lookupIn(environment));
    switch (each.type) {
      case 'start':
        return { outputs: {}, handle: 'out' };
      case 'condition': {
        const handle = holds((value(each.config.cases) as JsonObject[])[0]!) ? 'yes' : 'else';
        return { outputs: { case: handle }, handle };
      }
      case 'variable_assign':
        return { outputs: value(each.config.values) as JsonObject, handle: 'out' };
      case 'answer':
        return { outputs: { text: value(each.config.text) }, handle: 'out' };
      case 'approval': {
        const decision = decisionOf(seed, key);
        return { outputs: decision === 'expired' ? null : { decision, by: 'user', comment: '' }, handle: decision };
      }
      case 'iteration':
      case 'loop':
        return {
          outputs: each.type === 'loop' ? loop(each, key, environment) : iterate(each, key, environment),
          handle: 'out',
        };
      default:
        for (let attempt = 1; ; attempt++) {
          const end = fate(seed, { key, attempt, node: each, inputs: value(each.inputs) });
          if (!end.isFailure) return { outputs: end.outputs, handle: end.handle };
          if (!end.isPassing || attempt >= each.retry.maxAttempts) return { outputs: null, handle: '' };
        }
    }
  };
  const iterate = (each: GraphNode, key: string, environment: Environment): JsonObject | null => {
    const items = resolved(each.config.items!, lookupIn(environment));
    if (!Array.isArray(items)) return null;
    const results: Json[] = [];
    let failures = 0;
    for (const [index, item] of items.entries()) {
      const own = new Map(environment).set(each.id, { item: item as Json, index });
      const ended = run(compiled.bodies.get(each.id)!, `${key}[${index}]/`, own);
      if (ended === null) {
        within.add(`${key}[${index}]/`);
        failures += 1;
        if (each.config.on_item_error === 'null') results.push(null);
      } else results.push(resolved(each.config.output!, lookupIn(ended)));
    }
    if (failures > 0 && each.config.on_item_error === 'fail') {
      within.add(`${key}[`);
      return null;
    }
    return { results, count: items.length };
  };
  const loop = (each: GraphNode, key: string, environment: Environment): JsonObject | null => {
    const variables = { ...(resolved(each.config.variables!, lookupIn(environment)) as JsonObject) };
    const body = compiled.bodies.get(each.id)!;
    for (let pass = 0; pass < Number(each.config.max_passes); pass++) {
      const ended = run(body, `${key}[${pass}]/`, new Map(environment).set(each.id, { ...variables, index: pass }));
      if (ended === null) {
        within.add(`${key}[`);
        return null;
      }
      for (const own of body.nodes)
        if (own.type === 'variable_assign' && ended.has(own.id) && ended.get(own.id) !== environment.get(own.id))
          Object.assign(variables, ended.get(own.id));
      const atEnd = new Map(ended).set(each.id, { ...variables, index: pass });
      const { until } = each.config;
      if (isObject(until) && holds(resolved(until, lookupIn(atEnd)) as JsonObject))
        return { ...variables, passes: pass + 1 };
    }
    if (each.config.until) {
      within.add(`${key}[`);
      return null;
    }
    return { ...variables, passes: Number(each.config.max_passes) };
  };
  const ended = run(compiled.top, '', new Map());
  return { isFatal: ended === null, outputs, within };
}

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
      const decision = decisionOf(seed, command.key);
      if (decision === 'expired') apply({ type: 'approval_expired', atMs: nowMs, key: command.key });
      else apply({ type: 'decided', atMs: nowMs, key: command.key, decision, by: 'user', comment: '' });
    }
  }
  return { machine, shown, events, restarts };
}

/** A fault in the order of a run's events; null if there is none. */
export function orderFault(shown: readonly Output[]): string | null {
  const open = new Map<string, 'open' | 'closed'>();
  const begin = (id: string): string | null => {
    if (open.has(id)) return `${id} began twice`;
    open.set(id, 'open');
    return null;
  };
  const end = (id: string): string | null => {
    if (open.get(id) !== 'open') return `${id} ended ${open.has(id) ? 'twice' : 'before it began'}`;
    open.set(id, 'closed');
    return null;
  };
  const isOpen = (id: string): string | null => (open.get(id) === 'open' ? null : `${id} was not open around it`);
  const parentOf = (key: string): string | null => (key.includes('[') ? key.slice(0, key.lastIndexOf('[')) : null);
  let fault: string | null = null;
  let isOver = false;
  for (const [index, output] of shown.entries()) {
    if (output.kind === 'text') continue;
    const { type, payload } = output;
    if ((index === 0) !== (type === 'workflow_started')) fault ??= `${type} came as number ${index}`;
    if (isOver) fault ??= `${type} came after the end`;
    const key = String(payload.execution_key ?? '');
    const parent = parentOf(key);
    if (key !== '' && parent !== null) fault ??= isOpen(`passes ${parent}`);
    switch (type) {
      case 'node_started':
        fault ??= begin(`node ${key}`);
        break;
      case 'node_finished':
        fault ??= end(`node ${key}`);
        if (open.get(`passes ${key}`) === 'open') fault ??= `node ${key} ended before its passes`;
        break;
      case 'iteration_started':
        fault ??= isOpen(`node ${key}`) ?? begin(`passes ${key}`);
        break;
      case 'iteration_next':
        fault ??= isOpen(`passes ${key}`);
        break;
      case 'iteration_completed':
        fault ??= end(`passes ${key}`);
        for (const [id, state] of open)
          if (state === 'open' && id.startsWith(`node ${key}[`)) fault ??= `${id} was open at the end of its passes`;
        break;
      case 'parallel_branch_started':
        fault ??= begin(`branch ${String(payload.branch_id)}`);
        break;
      case 'parallel_branch_finished':
        fault ??= end(`branch ${String(payload.branch_id)}`);
        break;
      case 'workflow_finished':
        isOver = true;
        for (const [id, state] of open) if (state === 'open') fault ??= `${id} was open at the end`;
        break;
      default:
        fault ??= type === 'workflow_started' || key === '' ? null : isOpen(`node ${key}`);
    }
  }
  return fault ?? (isOver ? null : 'the run has no end');
}

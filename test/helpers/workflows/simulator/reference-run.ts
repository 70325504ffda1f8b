import { holds } from '../../../../functions/workflows/domain/engine/conditions.ts';
import type { CompiledGraph, Scope } from '../../../../functions/workflows/domain/graph/compiled-graph.ts';
import {
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
} from '../../../../functions/workflows/domain/graph/graph.ts';
import { resolved } from '../../../../functions/workflows/domain/graph/references.ts';
import { inText } from '../../../../functions/workflows/domain/graph/value-texts.ts';
import { decisionOf, fate, formOf, seenOutputs } from './fates.ts';
import { naivelyAssigned, naivelyOperated } from './naive-nodes.ts';

type Environment = ReadonlyMap<string, JsonObject>;

export interface ReferenceRun {
  readonly isFatal: boolean;
  /** Outputs by key, of every node that gave some out. */
  readonly outputs: ReadonlyMap<string, JsonObject>;
  /** Keys of what can only be relied on when nothing around it failed. */
  readonly within: ReadonlySet<string>;
  /** Conversation variables at the end. */
  readonly conversation: JsonObject;
}

/** A naive interpreter: one node after another in the order of the graph, without a schedule. */
export function referenceRun(compiled: CompiledGraph, seed: number): ReferenceRun {
  const outputs = new Map<string, JsonObject>();
  const within = new Set<string>();
  /** Passes in which a break was reached. */
  const broken = new Set<string>();
  const conversation: Record<string, Json> = Object.fromEntries(
    (compiled.graph.conversation ?? []).map(({ name, initial }) => [name, initial]),
  );
  /** Variables of loops that have started, the innermost last. */
  const loops: { readonly id: string; readonly variables: Record<string, Json> }[] = [];
  const lookupIn =
    (environment: Environment) => (reference: { sources: readonly { node: string; path: readonly string[] }[] }) => {
      for (const { node: id, path } of reference.sources) {
        if (path[0] === 'index' && environment.has(`${id} index`)) return environment.get(`${id} index`)!.index!;
        const found = id === 'conversation' ? conversation : environment.get(id);
        if (found) return path.reduce<Json>((value, name) => (value as JsonObject | null)?.[name] ?? null, found);
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
        environment.set(each.id, seenOutputs(each, ended.outputs));
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
    const value = (given: Json | undefined) => resolved(given ?? null, lookupIn(environment), inText);
    // All items are resolved before the first one takes effect.
    const atStart = value(each.config.items ?? []) as readonly JsonObject[];
    const resolvedValue = (item: JsonObject) =>
      atStart[(each.config.items as readonly JsonObject[]).indexOf(item)]!.value!;
    switch (each.type) {
      case 'start':
        return { outputs: {}, handle: 'out' };
      case 'condition': {
        const handle = holds((value(each.config.cases) as JsonObject[])[0]!) ? 'yes' : 'else';
        return { outputs: { case: handle }, handle };
      }
      case 'assigner': {
        const values: Record<string, Json> = {};
        for (const item of each.config.items as readonly JsonObject[]) {
          const [owner, name = ''] = String(item.variable).split('.');
          const variables = loops.findLast(({ id }) => id === owner)?.variables ?? conversation;
          values[name] = naivelyAssigned(variables[name] ?? null, String(item.operation), resolvedValue(item));
          variables[name] = values[name];
        }
        return { outputs: values, handle: 'out' };
      }
      case 'break':
        broken.add(prefix);
        return { outputs: {}, handle: 'out' };
      case 'human_input': {
        const isAnswered = decisionOf(seed, key) !== 'expired';
        return {
          outputs: isAnswered ? { ...formOf(seed, key), by: 'user', action: '', content: '?' } : null,
          handle: 'out',
        };
      }
      case 'list_operator':
        return { outputs: naivelyOperated(value(each.config.items), each.config), handle: 'out' };
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
          const end = fate(seed, { key, attempt, node: each, config: {}, inputs: value(each.inputs) as JsonObject });
          if (!end.isFailure) return { outputs: end.outputs, handle: end.handle };
          if (!end.isPassing || attempt >= each.retry.maxAttempts) return { outputs: null, handle: '' };
        }
    }
  };
  const iterate = (each: GraphNode, key: string, environment: Environment): JsonObject | null => {
    const items = resolved(each.config.items!, lookupIn(environment), inText);
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
      } else results.push(resolved(each.config.output!, lookupIn(ended), inText));
    }
    if (failures > 0 && each.config.on_item_error === 'fail') {
      within.add(`${key}[`);
      return null;
    }
    return { results, count: items.length };
  };
  const loop = (each: GraphNode, key: string, environment: Environment): JsonObject | null => {
    const variables = { ...(resolved(each.config.variables!, lookupIn(environment), inText) as JsonObject) };
    const body = compiled.bodies.get(each.id)!;
    loops.push({ id: each.id, variables });
    try {
      return passes(each, key, environment, variables, body);
    } finally {
      loops.pop();
    }
  };
  const passes = (
    each: GraphNode,
    key: string,
    environment: Environment,
    variables: Record<string, Json>,
    body: Scope,
  ): JsonObject | null => {
    const { until } = each.config;
    const isMetIn = (place: Environment) =>
      isObject(until) && holds(resolved(until, lookupIn(place), inText) as JsonObject);
    if (isMetIn(new Map(environment).set(each.id, variables))) return { ...variables, passes: 0 };
    for (let pass = 0; pass < Number(each.config.max_passes); pass++) {
      const prefix = `${key}[${pass}]/`;
      const own = new Map(environment).set(each.id, variables).set(`${each.id} index`, { index: pass });
      const ended = run(body, prefix, own);
      if (ended === null) {
        within.add(`${key}[`);
        return null;
      }
      for (const inner of body.nodes)
        if (
          inner.type === 'variable_assign' &&
          ended.has(inner.id) &&
          ended.get(inner.id) !== environment.get(inner.id)
        )
          Object.assign(variables, ended.get(inner.id));
      if (isMetIn(new Map(ended)) || broken.has(prefix)) return { ...variables, passes: pass + 1 };
    }
    if (each.config.until && each.config.on_limit !== 'end') {
      within.add(`${key}[`);
      return null;
    }
    return { ...variables, passes: Number(each.config.max_passes) };
  };
  const ended = run(compiled.top, '', new Map());
  return { isFatal: ended === null, outputs, within, conversation };
}

import type { Output, PendingDecision } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import { isObject, type Json, type JsonObject } from '../graph/graph.ts';
import type { RecordedRun } from './run.ts';

/** A node of a run, as far as it has come. */
export interface NodeView {
  readonly executionKey: string;
  readonly nodeId: string;
  readonly nodeType: string;
  readonly title: string;
  readonly index: number;
  status: string;
  inputs: JsonObject | null;
  outputs: JsonObject | null;
  failure: { readonly code: string; readonly message: string } | null;
  elapsedMs: number | null;
  attempts: number | null;
  usage: JsonObject | null;
}

export interface RunView {
  readonly nodes: readonly NodeView[];
  /** Nodes that started after those. */
  readonly omitted: number;
  readonly answer: string;
  readonly outputs: JsonObject;
  readonly pending: readonly PendingDecision[];
}

const MAX_NODES = 1_000;

/** The nodes of a run, put together from what it showed. */
export class NodeViews {
  readonly #nodes = new Map<string, NodeView>();
  readonly #onlyKey: string | undefined;
  omitted = 0;

  constructor(onlyKey?: string) {
    this.#onlyKey = onlyKey;
  }

  add(outputs: readonly Output[]): void {
    for (const output of outputs) {
      if (output.kind !== 'event') continue;
      const { payload } = output;
      const key = String(payload.execution_key ?? '');
      if (output.type === 'node_started') this.#begin(key, payload);
      else if (output.type === 'node_finished') this.#end(key, payload);
    }
  }

  get nodes(): readonly NodeView[] {
    return [...this.#nodes.values()];
  }

  #begin(key: string, payload: JsonObject): void {
    if (this.#onlyKey !== undefined && key !== this.#onlyKey) return;
    if (this.#nodes.size >= MAX_NODES) {
      this.omitted += 1;
      return;
    }
    this.#nodes.set(key, {
      executionKey: key,
      nodeId: String(payload.node_id),
      nodeType: String(payload.node_type),
      title: String(payload.title),
      index: Number(payload.index),
      status: String(payload.status),
      inputs: objectOrNull(payload.inputs),
      outputs: null,
      failure: null,
      elapsedMs: null,
      attempts: null,
      usage: null,
    });
  }

  #end(key: string, payload: JsonObject): void {
    const view = this.#nodes.get(key);
    if (!view) return;
    const { failure } = payload;
    view.status = String(payload.status);
    view.outputs = objectOrNull(payload.outputs);
    view.failure = isObject(failure) ? { code: String(failure.code), message: String(failure.message) } : null;
    view.elapsedMs = Number(payload.elapsed_ms);
    view.attempts = Number(payload.attempts);
    view.usage = objectOrNull(payload.usage);
  }
}

/**
 * A run as its record describes it.
 * @param onlyKey of the node to show; absent: all.
 */
export function runView({ head, graph, events }: RecordedRun, onlyKey?: string): RunView {
  const machine = new RunMachine(compiledGraph(graph));
  const views = new NodeViews(onlyKey);
  for (const event of events) views.add(machine.apply(event).outputs);
  const { answer, outputs } = machine;
  const pending = machine.pendingDecisions.filter(({ key }) => !head.decisions[key]);
  return { nodes: views.nodes, omitted: views.omitted, answer, outputs, pending };
}

function objectOrNull(value: Json | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}

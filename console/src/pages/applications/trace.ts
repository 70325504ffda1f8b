import type { StreamEvent } from '../../api/stream-event.ts';

/** An event with the time at which it came, in milliseconds of the page. */
export interface TimedEvent extends StreamEvent {
  readonly atMs: number;
}

export type StepKind = 'node' | 'tool' | 'knowledge' | 'thought' | 'retry';

/** Something that was done for an answer. */
export interface Step {
  readonly key: string;
  readonly kind: StepKind;
  readonly name: string;
  readonly status: 'running' | 'succeeded' | 'failed' | 'waiting' | 'cancelled';
  /** Null: unknown, or not over yet. */
  readonly elapsedMs: number | null;
  /** Inputs, outputs, arguments and results, as they came. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly children: readonly Step[];
}

interface Growing extends Omit<Step, 'children' | 'elapsedMs' | 'status'> {
  status: Step['status'];
  elapsedMs: number | null;
  readonly startedMs: number;
  readonly children: Growing[];
  details: Record<string, unknown>;
}

type Payload = Readonly<Record<string, unknown>>;

const STATUSES: readonly string[] = ['running', 'succeeded', 'failed', 'waiting', 'cancelled'];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The steps of an answer as a tree: what happened while a node ran is below it. */
export function stepsOf(events: readonly TimedEvent[]): readonly Step[] {
  const steps = new StepTree();
  for (const event of events) steps.add(event);
  return steps.top;
}

class StepTree {
  readonly top: Growing[] = [];
  readonly #byKey = new Map<string, Growing>();
  /** Nodes that run, the latest last. */
  readonly #running: Growing[] = [];

  add({ type, data, atMs }: TimedEvent): void {
    const payload = (typeof data.event === 'object' && data.event !== null ? data.event : {}) as Payload;
    if (type === 'node_started') this.#beginNode(payload, atMs);
    else if (type === 'node_finished') this.#end(`node ${textOf(payload.execution_key)}`, payload, atMs);
    else if (type === 'tool_call_started')
      this.#begin({ key: `tool ${textOf(payload.call_id)}`, kind: 'tool', name: textOf(payload.name) }, payload, atMs);
    else if (type === 'tool_call_finished') this.#end(`tool ${textOf(payload.call_id)}`, payload, atMs);
    else if (type === 'knowledge_retrieved') this.#instant('knowledge', textOf(payload.query), payload, atMs);
    else if (type === 'agent_thought') this.#thought(payload, atMs);
    else if (type === 'retry') this.#instant('retry', textOf(payload.message), payload, atMs);
  }

  #beginNode(payload: Payload, atMs: number): void {
    const key = `node ${textOf(payload.execution_key)}`;
    const known = this.#byKey.get(key);
    if (known) {
      known.status = statusOf(payload, 'running');
      return;
    }
    const name = textOf(payload.title) || textOf(payload.node_id);
    this.#running.push(this.#begin({ key, kind: 'node', name }, payload, atMs));
  }

  #thought(payload: Payload, atMs: number): void {
    const thought = textOf(payload.thought);
    if (thought !== '') this.#instant('thought', thought, payload, atMs);
  }

  #instant(kind: StepKind, name: string, payload: Payload, atMs: number): void {
    const step = this.#begin({ key: `${kind} ${this.#byKey.size}`, kind, name }, payload, atMs);
    step.status = kind === 'retry' ? 'failed' : 'succeeded';
  }

  #begin(of: Pick<Step, 'key' | 'kind' | 'name'>, payload: Payload, startedMs: number): Growing {
    const step: Growing = {
      key: of.key,
      kind: of.kind,
      name: of.name,
      status: statusOf(payload, 'running'),
      elapsedMs: null,
      startedMs,
      details: { ...payload },
      children: [],
    };
    this.#byKey.set(of.key, step);
    const owner = of.kind === 'node' ? this.#ownerOf(payload) : this.#running.at(-1);
    (owner?.children ?? this.top).push(step);
    return step;
  }

  /** The iteration or loop whose pass a node is in: keys of nodes start with those of their owners. */
  #ownerOf({ execution_key: key }: Payload): Growing | undefined {
    const own = textOf(key);
    return this.#running.findLast((each) => own.startsWith(`${textOf(each.details.execution_key)}[`));
  }

  #end(key: string, payload: Payload, atMs: number): void {
    const step = this.#byKey.get(key);
    if (step === undefined) return;
    step.status = statusOf(payload, 'succeeded');
    step.elapsedMs = typeof payload.elapsed_ms === 'number' ? payload.elapsed_ms : Math.round(atMs - step.startedMs);
    step.details = { ...step.details, ...payload };
    const at = this.#running.indexOf(step);
    if (at >= 0 && step.status !== 'waiting') this.#running.splice(at, 1);
  }
}

function statusOf({ status }: Payload, byDefault: Step['status']): Step['status'] {
  return STATUSES.includes(textOf(status)) ? (status as Step['status']) : byDefault;
}

/** A passage that an answer rests on. */
export interface Source {
  readonly title: string;
  readonly source: string;
  readonly snippet: string;
  readonly score: number | null;
}

/** Passages of all searches, each once, the best first. */
export function sourcesOf(events: readonly StreamEvent[]): readonly Source[] {
  const found = new Map<string, Source>();
  for (const { type, data } of events) {
    if (type !== 'knowledge_retrieved') continue;
    const { documents } = (data.event ?? {}) as { documents?: readonly Payload[] };
    for (const { title, source, snippet, score } of documents ?? []) {
      const passage = {
        title: textOf(title),
        source: textOf(source) || textOf(title),
        snippet: textOf(snippet),
        score: typeof score === 'number' ? score : null,
      };
      found.set(`${passage.source} ${passage.snippet}`, passage);
    }
  }
  return [...found.values()].sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
}

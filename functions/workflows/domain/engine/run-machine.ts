import { type Branch, type CompiledGraph, scopeOf } from '../graph/compiled-graph.ts';
import { listField, numberField, objectField, textField } from '../graph/fields.ts';
import {
  DEFAULT_HANDLE,
  ERROR_HANDLE,
  type GraphEdge,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
} from '../graph/graph.ts';
import { handlesOf, MAX_APPROVAL_HOURS, MAX_PASSES, NODE_KINDS } from '../graph/node-types.ts';
import { type Lookup, memberAt, resolved, segmentsOf, sizeOf, TooLarge, textOf } from '../graph/references.ts';
import { holds } from './conditions.ts';
import {
  added,
  type Command,
  type Cost,
  type EngineEvent,
  type Failure,
  NO_COST,
  type NodeStatus,
  type Output,
  type PendingDecision,
  type ProgressEvent,
  type RunContext,
  type RunStatus,
  type Step,
  type StreamEventType,
} from './engine-events.ts';
import { type Activity, type Body, Frame } from './frame.ts';
import { resolvedConfig, shownInputs } from './resolve-config.ts';

/** Characters of JSON that the outputs which nodes may still refer to have together. */
export const MAX_VARIABLES_LENGTH = 1_000_000;
const DEFAULT_APPROVAL_HOURS = 24;
const MAX_DELAY_MS = 300_000;
const DEFAULT_PASSES = 100;
const ANSWER_SEPARATOR = '\n\n';

/**
 * A run, as a state machine: what happens leads to commands for its surroundings and to what clients are shown. It knows
 * neither clock nor network, so that the same events always lead to the same state: a run is restored from its record by
 * applying the recorded events again. Events that do not fit the state, as of an attempt that was given up, change nothing.
 */
export class RunMachine {
  readonly #compiled: CompiledGraph;
  #top: Frame | null = null;
  readonly #active = new Map<string, Activity>();
  readonly #settled: { frame: Frame; node: GraphNode; handle: string | null }[] = [];
  #ready: { frame: Frame; node: GraphNode }[] = [];
  #effects: { frame: Frame; node: GraphNode }[] = [];
  #effectsRead = 0;
  #running = 0;
  #commands: Command[] = [];
  #outputs: Output[] = [];
  #context: RunContext = { sys: {}, history: [] };
  #inputs: JsonObject = {};
  #nowMs = 0;
  #beganMs = 0;
  #waitedMs = 0;
  #waitingSinceMs: number | null = null;
  #steps = 0;
  #variablesLength = 0;
  /** The answer whose text is being streamed, and how much of it is out. */
  #live: { readonly key: string; emitted: string } | null = null;
  #held: string[] = [];
  #hasText = false;

  status: Exclude<RunStatus, 'waiting'> = 'running';
  failure: (Failure & { readonly nodeId: string | null; readonly key: string | null }) | null = null;
  /** Texts of the answers that have been given, in order. */
  readonly answers: string[] = [];
  /** What answers have handed out by name. */
  outputs: Record<string, Json> = {};
  cost: Cost = NO_COST;

  constructor(compiled: CompiledGraph) {
    this.#compiled = compiled;
  }

  apply(event: EngineEvent): Step {
    if (this.status === 'running' && (event.type === 'begun') === (this.#beganMs === 0)) {
      const beforeMs = this.#nowMs;
      this.#nowMs = Math.max(this.#nowMs, event.atMs);
      if (this.#waitingSinceMs !== null) this.#waitedMs += this.#nowMs - this.#waitingSinceMs;
      else if (event.type === 'resumed') this.#waitedMs += this.#nowMs - beforeMs;
      this.#take(event);
      this.#pump();
      this.#waitingSinceMs = this.isWaiting ? this.#nowMs : null;
    }
    const step = { commands: this.#commands, outputs: this.#outputs };
    this.#commands = [];
    this.#outputs = [];
    return step;
  }

  /** What clients are shown of a node that is running. */
  progress(event: ProgressEvent): readonly Output[] {
    const activity = this.#active.get(event.key);
    if (!activity || this.status !== 'running') return [];
    if (event.type === 'progress') this.#emit(event.event, { ...placeOf(activity), ...(event.payload as JsonObject) });
    else this.#stream(activity, event.text);
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }

  /** Everything that is under way, as commands: for whoever goes on with a run that was restored from its record. */
  outstanding(): readonly Command[] {
    return [...this.#active.values()].flatMap((activity) => this.#commandOf(activity) ?? []);
  }

  /** True while nothing goes on but waiting for people. */
  get isWaiting(): boolean {
    if (this.status !== 'running' || this.#active.size === 0) return false;
    let isAny = false;
    for (const { state } of this.#active.values()) {
      if (state === 'running' || state === 'delayed') return false;
      isAny ||= state === 'waiting';
    }
    return isAny;
  }

  get pendingDecisions(): readonly PendingDecision[] {
    return [...this.#active.values()]
      .filter(({ state }) => state === 'waiting')
      .map(({ key, node, config, untilMs }) => ({ key, node, message: config.message ?? null, untilMs }));
  }

  /** When the time of the run is over, unless it waits for a decision again. */
  get deadlineMs(): number {
    return this.#beganMs + this.#compiled.graph.settings.timeoutSeconds * 1000 + this.#waitedMs;
  }

  get context(): RunContext {
    return this.#context;
  }

  get answer(): string {
    return this.answers.join(ANSWER_SEPARATOR);
  }

  #take(event: EngineEvent): void {
    switch (event.type) {
      case 'begun': {
        this.#beganMs = event.atMs;
        this.#context = event.context;
        this.#inputs = event.inputs;
        this.#emit('workflow_started', { inputs: event.inputs });
        const frame = new Frame(this.#compiled.top, this.#compiled, null);
        this.#top = frame;
        for (const node of frame.scope.entries) this.#enqueue(frame, node);
        return;
      }
      case 'done': {
        const activity = this.#activityAt(event.key, event.attempt);
        if (!activity) return;
        this.#spend(activity, event.cost);
        this.#complete(activity, event.outputs, event.handle ?? DEFAULT_HANDLE);
        return;
      }
      case 'failed': {
        const activity = this.#activityAt(event.key, event.attempt);
        if (!activity) return;
        this.#spend(activity, event.cost);
        const { maxAttempts, delayMs } = activity.node.retry;
        if (!event.isPassing || activity.attempt >= maxAttempts) {
          this.#fail(activity, event.failure);
          return;
        }
        const waitMs = Math.min(MAX_DELAY_MS, delayMs * 2 ** (activity.attempt - 1));
        activity.attempt += 1;
        activity.state = 'delayed';
        activity.untilMs = this.#nowMs + waitMs;
        this.#emit('retry', {
          ...placeOf(activity),
          scope: 'node',
          ...event.failure,
          attempt: activity.attempt,
          max_attempts: maxAttempts,
          delay_ms: waitMs,
        });
        this.#command(activity);
        return;
      }
      case 'delay_over': {
        const activity = this.#active.get(event.key);
        if (activity?.state !== 'delayed' || activity.attempt !== event.attempt) return;
        activity.state = 'running';
        this.#command(activity);
        return;
      }
      case 'decided': {
        const activity = this.#active.get(event.key);
        if (activity?.state !== 'waiting') return;
        const { decision, by, comment } = event;
        this.#complete(activity, { decision, by, comment }, decision);
        return;
      }
      case 'approval_expired': {
        const activity = this.#active.get(event.key);
        if (activity?.state !== 'waiting') return;
        this.#fail(activity, { code: 'approval_expired', message: 'Neither approved nor rejected in time.' });
        return;
      }
      case 'resumed':
        return;
      case 'cancelled':
        this.#end('cancelled', null, null);
        return;
      case 'given_up':
        this.#end('failed', event.failure, null);
        return;
      case 'timed_out': {
        const { timeoutSeconds } = this.#compiled.graph.settings;
        const message = `The run did not end within ${timeoutSeconds} seconds. Raise settings.timeout_seconds, or do less.`;
        this.#end('failed', { code: 'timeout', message }, null);
      }
    }
  }

  /** The activity that runs under a key, if it is still at this attempt. */
  #activityAt(key: string, attempt: number): Activity | null {
    const activity = this.#active.get(key);
    return activity?.state === 'running' && activity.attempt === attempt ? activity : null;
  }

  /** Goes on until nothing is left to do without an event. */
  #pump(): void {
    while (this.status === 'running') {
      const settled = this.#settled.shift();
      if (settled) {
        this.#settle(settled.frame, settled.node, settled.handle);
        continue;
      }
      const ready = this.#ready.shift() ?? this.#nextEffect();
      if (!ready) return;
      if (!ready.frame.isClosed) this.#start(ready.frame, ready.node);
    }
  }

  #nextEffect(): { frame: Frame; node: GraphNode } | undefined {
    if (this.#running >= this.#compiled.graph.settings.concurrency) return undefined;
    const next = this.#effects[this.#effectsRead];
    if (next === undefined) return undefined;
    this.#effectsRead += 1;
    if (this.#effectsRead > 1_000) {
      this.#effects = this.#effects.slice(this.#effectsRead);
      this.#effectsRead = 0;
    }
    return next;
  }

  #enqueue(frame: Frame, node: GraphNode): void {
    if (NODE_KINDS[node.type].nature === 'effect') this.#effects.push({ frame, node });
    else this.#ready.push({ frame, node });
  }

  /** A node has ended, having taken `handle`, or is skipped: null. */
  #settle(frame: Frame, node: GraphNode, handle: string | null): void {
    if (frame.isClosed) return;
    for (const branch of this.#compiled.branchesOf.get(node.id) ?? []) this.#settleBranch(frame, branch);
    for (const edge of this.#compiled.outgoing.get(node.id)!) {
      const isTaken = handle !== null && edge.sourceHandle === handle;
      if (isTaken) this.#beginBranch(frame, edge);
      this.#settleEdge(frame, edge, isTaken);
    }
    frame.left -= 1;
    if (frame.left > 0) return;
    if (frame.owner === null) this.#end('succeeded', null, null);
    else this.#endPass(frame, frame.owner);
  }

  #settleEdge(frame: Frame, { source, target }: GraphEdge, isTaken: boolean): void {
    if (isTaken && !frame.predecessors.has(target)) frame.predecessors.set(target, source);
    const left = frame.unsettled.get(target)! - 1;
    frame.unsettled.set(target, left);
    if (left > 0) return;
    const node = this.#compiled.nodes.get(target)!;
    if (frame.predecessors.has(target)) this.#enqueue(frame, node);
    else this.#settled.push({ frame, node, handle: null });
  }

  #beginBranch(frame: Frame, { id, source, target }: GraphEdge): void {
    const branch = this.#compiled.branches.get(id);
    if (!branch) return;
    frame.branches.set(id, branch.members.length);
    this.#emit('parallel_branch_started', { branch_id: frame.key + id, node_id: source, first_node_id: target });
  }

  #settleBranch(frame: Frame, { id, edge }: Branch): void {
    const left = frame.branches.get(id);
    if (left === undefined) return;
    frame.branches.set(id, left - 1);
    if (left > 1) return;
    frame.branches.delete(id);
    this.#emit('parallel_branch_finished', { branch_id: frame.key + id, node_id: edge.source, status: 'succeeded' });
  }

  #start(frame: Frame, node: GraphNode): void {
    const { maxSteps } = this.#compiled.graph.settings;
    this.#steps += 1;
    const { nature, config: fields } = NODE_KINDS[node.type];
    const activity: Activity = {
      key: frame.key + node.id,
      frame,
      node,
      index: this.#steps - 1,
      predecessorId: frame.predecessors.get(node.id) ?? null,
      startedMs: this.#nowMs,
      attempt: 1,
      state: nature === 'body' ? 'body' : nature === 'wait' ? 'waiting' : 'running',
      untilMs: 0,
      config: {},
      inputs: {},
      cost: NO_COST,
      body: nature === 'body' ? newBody(node) : null,
    };
    this.#active.set(activity.key, activity);
    if (nature === 'effect') this.#running += 1;
    const fault = this.#resolve(activity);
    const shown = node.type === 'start' ? {} : shownInputs(activity.config, fields, activity.inputs);
    this.#emit('node_started', {
      ...placeOf(activity),
      status: activity.state === 'waiting' ? 'waiting' : 'running',
      ...(Object.keys(shown).length > 0 && { inputs: shown }),
    });
    if (this.#steps > maxSteps) {
      const message = `The run executed more than ${maxSteps} nodes. Look for a loop without end, or raise settings.max_steps.`;
      this.#end('failed', { code: 'too_many_steps', message }, activity);
    } else if (fault !== null)
      this.#fail(activity, { code: 'too_large', message: `The node's configuration ${fault}.` });
    else if (nature === 'control') this.#control(activity);
    else if (nature === 'body') this.#beginBody(activity);
    else {
      if (nature === 'wait') activity.untilMs = this.#nowMs + approvalMs(activity.config);
      this.#command(activity);
    }
  }

  /** Replaces the references of a node. @returns what is wrong with them, or null. */
  #resolve(activity: Activity): string | null {
    const { frame, node } = activity;
    const lookup = this.#lookup(frame);
    const { output: _, until: __, ...atStart } = node.config;
    const config = node.type === 'iteration' || node.type === 'loop' ? atStart : node.config;
    try {
      activity.config = resolvedConfig(config, NODE_KINDS[node.type].config, lookup);
      activity.inputs = resolved(node.inputs, lookup) as JsonObject;
      return null;
    } catch (error) {
      if (error instanceof TooLarge) return error.message;
      throw error;
    }
  }

  #lookup(frame: Frame): Lookup {
    return ({ sources }) => {
      for (const source of sources) {
        const value = source.node === 'sys' ? memberAt(this.#context.sys, source.path) : frame.valueOf(source);
        if (value !== undefined) return value;
      }
      return null;
    };
  }

  #control(activity: Activity): void {
    const { node, config, inputs } = activity;
    switch (node.type) {
      case 'start':
        this.#complete(activity, this.#inputs, DEFAULT_HANDLE);
        return;
      case 'condition': {
        const found = listField(config, 'cases').find((each) => isObject(each) && holds(each));
        const handle = isObject(found) ? textField(found, 'id') : 'else';
        this.#complete(activity, { case: handle }, handle);
        return;
      }
      case 'variable_assign': {
        const values = objectField(config, 'values');
        this.#emit('variables_updated', { ...placeOf(activity), variables: values });
        this.#complete(activity, values, DEFAULT_HANDLE);
        return;
      }
      default: {
        const text = textField(config, 'text');
        for (const url of listField(config, 'files'))
          this.#emit('message_file', { ...placeOf(activity), url: textOf(url) });
        this.#answer(activity.key, text);
        this.outputs = { ...this.outputs, ...inputs };
        this.#complete(activity, { text }, DEFAULT_HANDLE);
      }
    }
  }

  #complete(activity: Activity, outputs: JsonObject, handle: string): void {
    const { frame, node } = activity;
    const length = sizeOf(outputs, MAX_VARIABLES_LENGTH);
    if (this.#variablesLength + length > MAX_VARIABLES_LENGTH) {
      const message = `The values of the run have more than ${MAX_VARIABLES_LENGTH} characters together. Pass on addresses instead of contents, or less of them.`;
      this.#fail(activity, { code: 'variables_too_large', message });
      return;
    }
    this.#variablesLength += length;
    frame.outputs.set(node.id, outputs);
    this.#finish(activity, 'succeeded', { outputs });
    this.#settled.push({ frame, node, handle });
  }

  /** The last attempt of a node has failed. */
  #fail(activity: Activity, failure: Failure): void {
    const { frame, node } = activity;
    if (activity.body) this.#closeBody(activity, 'failed');
    this.#finish(activity, 'failed', { failure: { ...failure } });
    if (node.onError === 'fail') {
      this.#propagate(activity, failure);
      return;
    }
    frame.failures.set(node.id, failure);
    if (node.onError === 'branch') {
      this.#settled.push({ frame, node, handle: ERROR_HANDLE });
      return;
    }
    const outputs = node.defaultOutput ?? {};
    this.#variablesLength += sizeOf(outputs);
    frame.outputs.set(node.id, outputs);
    this.#settled.push({ frame, node, handle: defaultHandle(node, outputs) });
  }

  /** A failure that its node did not plan for is its body's, and in the end the run's. */
  #propagate(activity: Activity, failure: Failure): void {
    const { frame } = activity;
    const { owner } = frame;
    if (owner === null) {
      this.#end('failed', failure, activity);
      return;
    }
    const onItem = textField(owner.config, 'on_item_error');
    if (owner.body?.kind === 'iteration' && (onItem === 'null' || onItem === 'skip')) {
      const { body } = owner;
      this.#closeFrame(frame, 'failed');
      body.errors.push({ index: frame.index, ...failure });
      body.failed.add(frame.index);
      body.results[frame.index] = null;
      this.#passEnded(owner, frame);
      return;
    }
    const message = `${activity.key}: ${failure.message}`;
    this.#fail(owner, { code: failure.code, message: owner.frame.owner === null ? message : failure.message });
  }

  #beginBody(activity: Activity): void {
    const { body, config } = activity;
    if (body?.kind === 'loop') {
      body.variables = { ...objectField(config, 'variables') };
      this.#emit('iteration_started', placeOf(activity));
      this.#beginPass(activity, 0);
      return;
    }
    const { items } = config;
    if (!Array.isArray(items) || items.length > MAX_PASSES) {
      const found = Array.isArray(items) ? `has ${items.length} entries` : 'is no list';
      const message = `config.items ${found}. Give it a list of at most ${MAX_PASSES} entries.`;
      this.#emit('iteration_started', placeOf(activity));
      this.#fail(activity, { code: 'invalid_items', message });
      return;
    }
    if (body) body.items = items as readonly Json[];
    this.#emit('iteration_started', { ...placeOf(activity), length: items.length });
    this.#nextPasses(activity);
  }

  #beginPass(activity: Activity, index: number): void {
    const scope = scopeOf(this.#compiled, activity.node.id);
    const frame = new Frame(scope, this.#compiled, { parent: activity.frame, owner: activity, index });
    activity.body!.frames.set(index, frame);
    this.#emit('iteration_next', { ...placeOf(activity), pass: index });
    for (const node of scope.entries) this.#enqueue(frame, node);
  }

  /** Begins as many passes of an iteration as may run at once; ends it when none is left. */
  #nextPasses(activity: Activity): void {
    const { body, config } = activity;
    if (body?.kind !== 'iteration') return;
    const concurrency = numberField(config, 'concurrency', 1);
    while (body.frames.size < concurrency && body.next < body.items.length) this.#beginPass(activity, body.next++);
    if (body.ended < body.items.length) return;
    const skips = config.on_item_error === 'skip';
    const results = skips ? body.results.filter((_, index) => !body.failed.has(index)) : body.results;
    this.#completed(activity, body.ended, 'succeeded');
    this.#complete(activity, { results, count: body.items.length, errors: body.errors }, DEFAULT_HANDLE);
  }

  #endPass(frame: Frame, owner: Activity): void {
    const { body, node } = owner;
    const lookup = this.#lookup(frame);
    try {
      if (body?.kind === 'iteration') {
        const result = resolved(node.config.output ?? null, lookup);
        body.results[frame.index] = result;
        this.#passEnded(owner, frame);
        return;
      }
      if (body?.kind !== 'loop') return;
      // In the order of the graph, so that branches beside each other cannot race for a variable.
      for (const each of frame.scope.nodes)
        for (const [name, value] of Object.entries(frame.outputs.get(each.id) ?? {}))
          if (each.type === 'variable_assign' && Object.hasOwn(body.variables, name)) body.variables[name] = value;
      body.pass += 1;
      const until = objectField(node.config, 'until');
      const isOver =
        Object.keys(until).length > 0 &&
        holds(resolvedConfig({ until }, NODE_KINDS.loop.config, lookup).until as JsonObject);
      this.#endLoopPass(owner, frame, isOver, Object.keys(until).length > 0);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#fail(owner, { code: 'too_large', message: `What a pass gives out ${error.message}.` });
    }
  }

  #endLoopPass(owner: Activity, frame: Frame, isOver: boolean, hasCondition: boolean): void {
    const { body, config } = owner;
    if (body?.kind !== 'loop') return;
    this.#release(frame);
    body.frames.delete(frame.index);
    const maxPasses = numberField(config, 'max_passes', DEFAULT_PASSES);
    if (!isOver && body.pass < maxPasses) {
      this.#beginPass(owner, body.pass);
      return;
    }
    if (!isOver && hasCondition) {
      const message = `The condition of the loop did not hold within ${maxPasses} passes. Raise config.max_passes, or correct config.until.`;
      this.#fail(owner, { code: 'loop_limit', message });
      return;
    }
    this.#completed(owner, body.pass, 'succeeded');
    this.#complete(owner, { ...body.variables, passes: body.pass }, DEFAULT_HANDLE);
  }

  #passEnded(owner: Activity, frame: Frame): void {
    const { body } = owner;
    if (body?.kind !== 'iteration') return;
    this.#release(frame);
    body.frames.delete(frame.index);
    body.ended += 1;
    this.#nextPasses(owner);
  }

  /** Nothing can refer to the values of a pass that has ended. */
  #release(frame: Frame): void {
    frame.isClosed = true;
    for (const outputs of frame.outputs.values()) this.#variablesLength -= sizeOf(outputs);
  }

  /** Ends everything that is under way in a frame, inner things first. */
  #closeFrame(frame: Frame, status: 'failed' | 'cancelled'): void {
    for (const activity of [...this.#active.values()].reverse()) {
      if (activity.frame !== frame) continue;
      if (activity.body) this.#closeBody(activity, 'cancelled');
      if (this.#active.has(activity.key)) {
        if (activity.state !== 'body') this.#commands.push({ type: 'abort', key: activity.key });
        this.#finish(activity, 'cancelled', {});
      }
    }
    for (const id of [...frame.branches.keys()].reverse()) {
      const { edge } = this.#compiled.branches.get(id)!;
      frame.branches.delete(id);
      this.#emit('parallel_branch_finished', { branch_id: frame.key + id, node_id: edge.source, status });
    }
    if (this.#live?.key.startsWith(frame.key) && frame.key !== '') this.#live = null;
    if (!frame.isClosed) this.#release(frame);
  }

  #closeBody(activity: Activity, status: 'failed' | 'cancelled'): void {
    for (const frame of [...activity.body!.frames.values()].reverse()) this.#closeFrame(frame, status);
    activity.body!.frames.clear();
    const { body } = activity;
    this.#completed(activity, body?.kind === 'iteration' ? body.ended : (body?.pass ?? 0), status);
  }

  /** The passes of a body are over; said once, also where what they give out is refused afterwards. */
  #completed(activity: Activity, count: number, status: 'succeeded' | 'failed' | 'cancelled'): void {
    if (activity.body!.isCompleted) return;
    activity.body!.isCompleted = true;
    this.#emit('iteration_completed', { ...placeOf(activity), count, status });
  }

  #finish(activity: Activity, status: NodeStatus, result: JsonObject): void {
    this.#active.delete(activity.key);
    if (NODE_KINDS[activity.node.type].nature === 'effect') this.#running -= 1;
    this.#emit('node_finished', {
      ...placeOf(activity),
      status,
      elapsed_ms: this.#nowMs - activity.startedMs,
      attempts: activity.attempt,
      ...usageOf(activity.cost),
      ...result,
    });
  }

  #spend(activity: Activity, cost: Cost = NO_COST): void {
    this.cost = added(this.cost, cost);
    activity.cost = added(activity.cost, cost);
  }

  #end(status: 'succeeded' | 'failed' | 'cancelled', failure: Failure | null, by: Activity | null): void {
    if (this.#top) this.#closeFrame(this.#top, 'cancelled');
    this.status = status;
    this.failure = failure && { ...failure, nodeId: by?.node.id ?? null, key: by?.key ?? null };
    this.#ready = [];
    this.#effects = [];
    this.#emit('workflow_finished', {
      status,
      outputs: this.outputs,
      elapsed_ms: this.#nowMs - this.#beganMs,
      ...usageOf(this.cost),
      ...(this.failure && {
        failure: { code: this.failure.code, message: this.failure.message, node_id: this.failure.nodeId },
      }),
    });
    this.#commands.push({ type: 'end' });
  }

  #command(activity: Activity): void {
    const command = this.#commandOf(activity);
    if (command) this.#commands.push(command);
  }

  #commandOf({ key, node, attempt, state, untilMs, config, inputs }: Activity): Command | null {
    switch (state) {
      case 'running':
        return { type: 'run', key, node, attempt, config, inputs };
      case 'delayed':
        return { type: 'delay', key, attempt, untilMs };
      case 'waiting':
        return { type: 'await_decision', key, untilMs };
      case 'body':
        return null;
    }
  }

  #emit(type: StreamEventType, payload: JsonObject): void {
    this.#outputs.push({ kind: 'event', type, payload });
  }

  #text(text: string): void {
    if (text !== '') this.#outputs.push({ kind: 'text', text });
  }

  /** An answer begins: behind those before it. */
  #separate(): void {
    if (this.#hasText) this.#text(ANSWER_SEPARATOR);
    this.#hasText = true;
  }

  #answer(key: string, text: string): void {
    this.answers.push(text);
    if (this.#live?.key === key) {
      const { emitted } = this.#live;
      this.#text(text.startsWith(emitted) ? text.slice(emitted.length) : '');
      this.#live = null;
      for (const held of this.#held.splice(0)) {
        this.#separate();
        this.#text(held);
      }
    } else if (this.#live) this.#held.push(text);
    else {
      this.#separate();
      this.#text(text);
    }
  }

  /** The text of an agent goes out at once where nothing but the agent keeps an answer from being given. */
  #stream(activity: Activity, delta: string): void {
    const answer = this.#answerFilledBy(activity);
    if (answer === null || (this.#live && this.#live.key !== answer.key)) return;
    if (!this.#live) {
      this.#separate();
      this.#live = { key: answer.key, emitted: '' };
    }
    const live = this.#live;
    const text = live.emitted.length < answer.prefix.length ? answer.prefix.slice(live.emitted.length) + delta : delta;
    live.emitted += text;
    this.#text(text);
  }

  #answerFilledBy({ frame, node }: Activity): { readonly key: string; readonly prefix: string } | null {
    if (node.type !== 'agent' || node.onError !== 'fail') return null;
    const edges = this.#compiled.outgoing.get(node.id)!.filter(({ sourceHandle }) => sourceHandle === DEFAULT_HANDLE);
    for (const { target } of edges) {
      const answer = this.#compiled.nodes.get(target)!;
      if (answer.type !== 'answer' || frame.unsettled.get(target) !== 1) continue;
      const prefix = this.#prefixBefore(node.id, textField(answer.config, 'text'), frame);
      if (prefix !== null) return { key: frame.key + target, prefix };
    }
    return null;
  }

  /** The text before the place that the agent's own text fills; null when it fills none, or more comes from it before. */
  #prefixBefore(agentId: string, text: string, frame: Frame): string | null {
    const lookup = this.#lookup(frame);
    let prefix = '';
    for (const segment of segmentsOf(text)) {
      if (typeof segment === 'string') {
        prefix += segment;
        continue;
      }
      const [first] = segment.sources;
      if (first?.node === agentId) return first.path.length === 1 && first.path[0] === 'text' ? prefix : null;
      prefix += textOf(lookup(segment));
    }
    return null;
  }
}

function newBody({ type }: GraphNode): Body {
  if (type === 'loop') return { kind: 'loop', isCompleted: false, pass: 0, variables: {}, frames: new Map() };
  return {
    kind: 'iteration',
    isCompleted: false,
    items: [],
    next: 0,
    ended: 0,
    frames: new Map(),
    results: [],
    failed: new Set(),
    errors: [],
  };
}

function placeOf({ key, node, index, predecessorId }: Activity): JsonObject {
  return {
    node_id: node.id,
    node_type: node.type,
    title: node.title,
    execution_key: key,
    index,
    predecessor_node_id: predecessorId,
  };
}

/** The usage of an event; left out where nothing was used up. */
function usageOf({ promptTokens, completionTokens, krw, sandboxSeconds }: Cost): JsonObject {
  if (promptTokens + completionTokens + krw + sandboxSeconds === 0) return {};
  const total_tokens = promptTokens + completionTokens;
  const tokens = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens };
  return { usage: { ...tokens, krw, sandbox_seconds: sandboxSeconds } };
}

function approvalMs(config: JsonObject): number {
  const hours = numberField(config, 'timeout_hours', DEFAULT_APPROVAL_HOURS);
  return Math.min(hours, MAX_APPROVAL_HOURS) * 3_600_000;
}

/** Where a node goes on with its default output: the outputs of some name their handle. */
function defaultHandle(node: GraphNode, outputs: JsonObject): string {
  const named = node.type === 'approval' ? outputs.decision : node.type === 'classifier' ? outputs.class_id : null;
  const handles = handlesOf(node);
  return handles.find((handle) => handle === named) ?? handles[0] ?? DEFAULT_HANDLE;
}

import type { CompiledGraph } from '../graph/compiled-graph.ts';
import { listField, numberField, objectField, textField } from '../graph/fields.ts';
import {
  DEFAULT_HANDLE,
  type EnvironmentVariable,
  ERROR_HANDLE,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
} from '../graph/graph.ts';
import { MAX_APPROVAL_HOURS } from '../graph/node-fields.ts';
import { handlesOf, NODE_KINDS } from '../graph/node-types.ts';
import { resolved, TooLarge } from '../graph/references.ts';
import { AnswerTexts } from './answer-texts.ts';
import { holds } from './conditions.ts';
import { shownOutputs } from './derived-outputs.ts';
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
import { type Activity, Frame } from './frame.ts';
import { Joins } from './joins.ts';
import { placeOf, toShownFile, usageOf } from './node-payloads.ts';
import { overBudget } from './over-budget.ts';
import { newBody, Passes } from './passes.ts';
import { ReadyNodes } from './ready-nodes.ts';
import { resolvedConfig, shownInputs } from './resolve-config.ts';
import { MAX_CONVERSATION_LENGTH, MAX_VARIABLES_LENGTH, RunVariables } from './run-variables.ts';

const DEFAULT_APPROVAL_HOURS = 24;
const MAX_DELAY_MS = 300_000;

/** Why a run failed; the node is null where no single one is to blame. */
export type RunFailure = Failure & {
  readonly nodeId: string | null;
  readonly key: string | null;
  readonly title: string | null;
};

/**
 * A run, as a state machine: what happens leads to commands for its surroundings and to what clients are shown. It knows
 * neither clock nor network, so that the same events always lead to the same state: a run is restored from its record by
 * applying the recorded events again. Events that do not fit the state, as of an attempt that was given up, change nothing.
 */
export class RunMachine {
  readonly #compiled: CompiledGraph;
  readonly #variables: RunVariables;
  #top: Frame | null = null;
  readonly #active = new Map<string, Activity>();
  readonly #ready: ReadyNodes;
  readonly #joins: Joins;
  readonly #passes: Passes;
  readonly #answers: AnswerTexts;
  #commands: Command[] = [];
  #outputs: Output[] = [];
  #inputs: JsonObject = {};
  #nowMs = 0;
  #beganMs = 0;
  #waitedMs = 0;
  #waitingSinceMs: number | null = null;
  #steps = 0;
  status: Exclude<RunStatus, 'waiting'> = 'running';
  failure: RunFailure | null = null;
  /** Named outputs of answers. */
  outputs: Record<string, Json> = {};
  cost: Cost = NO_COST;

  constructor(compiled: CompiledGraph) {
    this.#compiled = compiled;
    this.#variables = new RunVariables(compiled.graph);
    const lookup = (frame: Frame) => this.#variables.lookup(frame);
    const emit = this.#emit.bind(this);
    const start = (frame: Frame, node: GraphNode) => this.#ready.add({ frame, node });
    this.#ready = new ReadyNodes(compiled.graph.settings.concurrency);
    this.#answers = new AnswerTexts(compiled, lookup, (text) => this.#outputs.push({ kind: 'text', text }));
    this.#joins = new Joins(compiled, {
      ...{ emit, start },
      frameEnded: (frame) =>
        frame.owner === null ? this.#end('succeeded', null, null) : this.#passes.ended(frame, frame.owner),
    });
    this.#passes = new Passes(compiled, {
      ...{ emit, lookup, start },
      release: (frame) => this.#variables.release(frame),
      closeFrame: (frame, status) => this.#closeFrame(frame, status),
      complete: (owner, outputs) => this.#complete(owner, outputs, DEFAULT_HANDLE),
      fail: (owner, failure) => this.#fail(owner, failure),
    });
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

  /** Shows clients the progress of a running node. */
  progress(event: ProgressEvent): readonly Output[] {
    const activity = this.#active.get(event.key);
    if (!activity || this.status !== 'running') return [];
    if (event.type === 'progress') this.#emit(event.event, { ...placeOf(activity), ...(event.payload as JsonObject) });
    else this.#answers.stream(activity, event.text);
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }

  /** All pending effects, as commands: for a function that continues a run restored from its record. */
  outstanding(): readonly Command[] {
    return [...this.#active.values()].flatMap((activity) => this.#commandOf(activity) ?? []);
  }

  /** True while the run only waits for people. */
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
    return this.#variables.context;
  }

  get environment(): readonly EnvironmentVariable[] {
    return this.#variables.environment;
  }

  /** Current conversation variables. */
  get conversation(): JsonObject {
    return this.#variables.conversation;
  }

  /** Texts of the answers that have been given, in order. */
  get answers(): readonly string[] {
    return this.#answers.given;
  }

  get answer(): string {
    return this.#answers.joined;
  }

  #take(event: EngineEvent): void {
    switch (event.type) {
      case 'begun': {
        this.#beganMs = event.atMs;
        this.#inputs = event.inputs;
        this.#variables.begin(event.context);
        this.#emit('workflow_started', { inputs: event.inputs });
        const frame = new Frame(this.#compiled.top, this.#compiled, null);
        this.#top = frame;
        for (const node of frame.scope.entries) this.#ready.add({ frame, node });
        return;
      }
      case 'done': {
        const activity = this.#attemptEnded(event);
        if (!activity) return;
        this.#complete(activity, event.outputs, event.handle ?? DEFAULT_HANDLE);
        return;
      }
      case 'failed': {
        const activity = this.#attemptEnded(event);
        if (!activity) return;
        const { maxAttempts, delayMs, isFixed } = activity.node.retry;
        if (!event.isPassing || activity.attempt >= maxAttempts) {
          this.#fail(activity, event.failure);
          return;
        }
        const waitMs = Math.min(MAX_DELAY_MS, isFixed ? delayMs : delayMs * 2 ** (activity.attempt - 1));
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
        const { decision, by, comment, values } = event;
        if (activity.node.type === 'human_input') this.#complete(activity, { ...values, by }, DEFAULT_HANDLE);
        else this.#complete(activity, { decision, by, comment }, decision);
        return;
      }
      case 'approval_expired': {
        const activity = this.#active.get(event.key);
        if (activity?.state !== 'waiting') return;
        this.#fail(
          activity,
          activity.node.type === 'human_input'
            ? { code: 'form_expired', message: 'The form was not answered in time.' }
            : { code: 'approval_expired', message: 'Neither approved nor rejected in time.' },
        );
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

  /**
   * Counts the cost of an attempt.
   * @returns its activity; null if the attempt was given up, or the run has ended because it is over budget
   */
  #attemptEnded({ key, attempt, cost = NO_COST }: Extract<EngineEvent, { type: 'done' | 'failed' }>): Activity | null {
    const activity = this.#active.get(key);
    if (activity?.state !== 'running' || activity.attempt !== attempt) return null;
    this.cost = added(this.cost, cost);
    activity.cost = added(activity.cost, cost);
    const message = overBudget(this.cost, this.#compiled.graph.settings);
    if (message === null) return activity;
    this.#end('failed', { code: 'budget_exceeded', message }, activity);
    return null;
  }

  /** Continues until nothing is left to do without an event. */
  #pump(): void {
    while (this.status === 'running') {
      if (this.#joins.settleNext()) continue;
      const ready = this.#ready.next();
      if (!ready) return;
      if (!ready.frame.isClosed) this.#start(ready.frame, ready.node);
    }
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
    this.#ready.started(node);
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
    else if (nature === 'body') this.#passes.begin(activity);
    else {
      if (nature === 'wait') activity.untilMs = this.#nowMs + approvalMs(activity.config);
      this.#command(activity);
    }
  }

  /**
   * Replaces the references of a node.
   * @returns their fault, or null.
   */
  #resolve(activity: Activity): string | null {
    const { frame, node } = activity;
    const lookup = this.#variables.lookup(frame);
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
      case 'assigner':
        this.#assign(activity);
        return;
      case 'break': {
        const { owner } = activity.frame;
        if (owner?.body?.kind === 'loop') owner.body.isBroken = true;
        this.#complete(activity, {}, DEFAULT_HANDLE);
        return;
      }
      default: {
        const text = textField(config, 'text');
        const files = config.files ?? [];
        for (const file of Array.isArray(files) ? files : [files])
          if (file !== null && file !== '') this.#emit('message_file', { ...placeOf(activity), ...toShownFile(file) });
        this.#answers.give(activity.key, text);
        this.outputs = { ...this.outputs, ...inputs };
        this.#complete(activity, { text }, DEFAULT_HANDLE);
      }
    }
  }

  #assign(activity: Activity): void {
    const values = this.#variables.assign(activity);
    if (values === null) {
      const message = `The conversation variables have more than ${MAX_CONVERSATION_LENGTH} characters together. Keep less in them.`;
      this.#fail(activity, { code: 'variables_too_large', message });
      return;
    }
    this.#emit('variables_updated', { ...placeOf(activity), variables: values });
    this.#complete(activity, values, DEFAULT_HANDLE);
  }

  #complete(activity: Activity, outputs: JsonObject, handle: string): void {
    const { frame, node } = activity;
    const whole = this.#variables.keep(frame, node, outputs);
    if (whole === null) {
      const message = `The values of the run have more than ${MAX_VARIABLES_LENGTH} characters together. Pass on addresses instead of contents, or less of them.`;
      this.#fail(activity, { code: 'variables_too_large', message });
      return;
    }
    this.#finish(activity, 'succeeded', { outputs: shownOutputs(node, outputs, whole) });
    this.#joins.add(frame, node, handle);
  }

  /** The last attempt of a node has failed. */
  #fail(activity: Activity, failure: Failure): void {
    const { frame, node } = activity;
    if (activity.body) this.#passes.close(activity, 'failed');
    this.#finish(activity, 'failed', { failure: { ...failure } });
    if (node.onError === 'fail') {
      this.#propagate(activity, failure);
      return;
    }
    frame.failures.set(node.id, failure);
    if (node.onError === 'branch') {
      this.#joins.add(frame, node, ERROR_HANDLE);
      return;
    }
    const outputs = node.defaultOutput ?? {};
    this.#variables.keepDefault(frame, node, outputs);
    this.#joins.add(frame, node, defaultHandle(node, outputs));
  }

  /** A failure that its node did not plan for is its body's, and in the end the run's. */
  #propagate(activity: Activity, failure: Failure): void {
    const { frame } = activity;
    const { owner } = frame;
    if (owner === null) {
      this.#end('failed', failure, activity);
      return;
    }
    if (this.#passes.tolerates(frame, owner, failure)) return;
    const message = `${titleOf(activity.node)}: ${failure.message}`;
    this.#fail(owner, { code: failure.code, message: owner.frame.owner === null ? message : failure.message });
  }

  /** Ends everything that is under way in a frame, inner things first. */
  #closeFrame(frame: Frame, status: 'failed' | 'cancelled'): void {
    for (const activity of [...this.#active.values()].reverse()) {
      if (activity.frame !== frame) continue;
      if (activity.body) this.#passes.close(activity, 'cancelled');
      if (this.#active.has(activity.key)) {
        if (activity.state !== 'body') this.#commands.push({ type: 'abort', key: activity.key });
        this.#finish(activity, 'cancelled', {});
      }
    }
    this.#joins.close(frame, status);
    this.#answers.giveUp(frame);
    if (!frame.isClosed) this.#variables.release(frame);
  }

  #finish(activity: Activity, status: NodeStatus, result: JsonObject): void {
    this.#active.delete(activity.key);
    this.#ready.finished(activity.node);
    this.#emit('node_finished', {
      ...placeOf(activity),
      status,
      elapsed_ms: this.#nowMs - activity.startedMs,
      attempts: activity.attempt,
      ...usageOf(activity.cost),
      ...result,
    });
  }

  #end(status: 'succeeded' | 'failed' | 'cancelled', failure: Failure | null, by: Activity | null): void {
    if (this.#top) this.#closeFrame(this.#top, 'cancelled');
    this.status = status;
    this.failure = failure && {
      ...failure,
      nodeId: by?.node.id ?? null,
      key: by?.key ?? null,
      title: by ? titleOf(by.node) : null,
    };
    this.#ready.clear();
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
}

function titleOf({ id, title }: GraphNode): string {
  return title === '' ? id : title;
}

function approvalMs(config: JsonObject): number {
  const hours = numberField(config, 'timeout_hours', DEFAULT_APPROVAL_HOURS);
  return Math.min(hours, MAX_APPROVAL_HOURS) * 3_600_000;
}

/** The handle of a node's default output: the outputs of some name it. */
function defaultHandle(node: GraphNode, outputs: JsonObject): string {
  const named = node.type === 'approval' ? outputs.decision : node.type === 'classifier' ? outputs.class_id : null;
  const handles = handlesOf(node);
  return handles.find((handle) => handle === named) ?? handles[0] ?? DEFAULT_HANDLE;
}

import type { CompiledGraph } from '../graph/compiled-graph.ts';
import {
  DEFAULT_HANDLE,
  type EnvironmentVariable,
  ERROR_HANDLE,
  type GraphNode,
  type JsonObject,
} from '../graph/graph.ts';
import { NODE_KINDS } from '../graph/node-types.ts';
import { MAX_TIMEOUT_MS, TIMEOUT_HANDLE, timeoutMs } from '../graph/people.ts';
import { Activities } from './activities.ts';
import { AnswerTexts } from './answer-texts.ts';
import { ControlNodes } from './control-nodes.ts';
import { decided, undecided } from './decisions.ts';
import { shownOutputs } from './derived-outputs.ts';
import {
  added,
  type Command,
  type Cost,
  type EngineEvent,
  type Failure,
  NO_COST,
  type Output,
  type PendingDecision,
  type ProgressEvent,
  type RunContext,
  type RunStatus,
  type Step,
  type StreamEventType,
} from './engine-events.ts';
import type { Emit, EndedStatus, EnginePayloads } from './event-payloads.ts';
import { type Activity, Frame } from './frame.ts';
import { Joins } from './joins.ts';
import {
  commandOf,
  defaultHandle,
  expiry,
  type RunFailure,
  retryDelayMs,
  runFailure,
  titleOf,
} from './node-outcomes.ts';
import { finishedPayload, placeOf, retryPayload, shownFailure, usageOf, waitPayload } from './node-payloads.ts';
import { overBudget } from './over-budget.ts';
import { newBody, Passes } from './passes.ts';
import { ReadyNodes } from './ready-nodes.ts';
import { resolveReferences, shownInputs } from './resolve-config.ts';
import { RunClock } from './run-clock.ts';
import { RunVariables } from './run-variables.ts';

/**
 * A run, as a state machine: what happens leads to commands for its surroundings and to what clients are shown. It knows
 * neither clock nor network, so that the same events always lead to the same state: a run is restored from its record by
 * applying the recorded events again. Events that do not fit the state, as of an attempt that was given up, change nothing.
 */
export class RunMachine {
  readonly #compiled: CompiledGraph;
  readonly #variables: RunVariables;
  #top: Frame | null = null;
  readonly #active = new Activities();
  readonly #ready: ReadyNodes;
  readonly #joins: Joins;
  readonly #passes: Passes;
  readonly #answers: AnswerTexts;
  readonly #control: ControlNodes;
  #commands: Command[] = [];
  #outputs: Output[] = [];
  readonly #clock = new RunClock();
  #steps = 0;
  status: Exclude<RunStatus, 'waiting'> = 'running';
  failure: RunFailure | null = null;
  cost: Cost = NO_COST;

  constructor(compiled: CompiledGraph) {
    this.#compiled = compiled;
    this.#variables = new RunVariables(compiled.graph);
    const lookup = (frame: Frame) => this.#variables.lookup(frame);
    const emit = this.#emit;
    const start = (frame: Frame, node: GraphNode) => this.#ready.add({ frame, node });
    this.#ready = new ReadyNodes(compiled.graph.settings.concurrency);
    this.#answers = new AnswerTexts(compiled, lookup, (text) => this.#outputs.push({ kind: 'text', text }));
    this.#control = new ControlNodes({
      ...{ emit, variables: this.#variables, answers: this.#answers, style: compiled.graph.settings.textStyle },
      complete: this.#complete.bind(this),
      fail: this.#fail.bind(this),
    });
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
    if (this.status === 'running' && (event.type === 'begun') === !this.#clock.hasBegun) {
      this.#clock.advance(event.atMs, event.type === 'resumed');
      this.#take(event);
      this.#pump();
      this.#clock.settle(this.isWaiting);
    }
    const step = { commands: this.#commands, outputs: this.#outputs };
    this.#commands = [];
    this.#outputs = [];
    return step;
  }

  /** Shows clients the progress of a running node. */
  progress(event: ProgressEvent): readonly Output[] {
    const activity = this.#active.find(event.key);
    if (!activity || this.status !== 'running') return [];
    if (event.type === 'progress') this.#show(event.event, { ...placeOf(activity), ...(event.payload as JsonObject) });
    else this.#answers.stream(activity, event.text);
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }

  /** All pending effects, as commands: for a function that continues a run restored from its record. */
  outstanding(): readonly Command[] {
    return this.#active.commands();
  }

  /** True while the run only waits for people. */
  get isWaiting(): boolean {
    return this.status === 'running' && this.#active.isWaiting;
  }

  get pendingDecisions(): readonly PendingDecision[] {
    return this.#active.pendingDecisions;
  }

  /** When the time of the run is over, unless it waits for a decision again. */
  get deadlineMs(): number {
    return this.#clock.endOf(this.#compiled.graph.settings.timeoutSeconds);
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

  /** Named outputs of answers. */
  get outputs(): JsonObject {
    return this.#control.outputs;
  }

  get answer(): string {
    return this.#answers.joined;
  }

  #take(event: EngineEvent): void {
    switch (event.type) {
      case 'begun': {
        this.#clock.begin(event.atMs);
        this.#control.inputs = event.inputs;
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
        const waitMs = event.isPassing ? retryDelayMs(activity) : null;
        if (waitMs === null) {
          this.#fail(activity, event.failure);
          return;
        }
        activity.attempt += 1;
        activity.state = 'delayed';
        activity.untilMs = this.#clock.nowMs + waitMs;
        this.#emit('retry', retryPayload(activity, event.failure, waitMs));
        this.#command(activity);
        return;
      }
      case 'delay_over': {
        const activity = this.#active.find(event.key);
        if (activity?.state !== 'delayed' || activity.attempt !== event.attempt) return;
        activity.state = 'running';
        this.#command(activity);
        return;
      }
      case 'decided': {
        const activity = this.#active.find(event.key);
        if (activity?.state !== 'waiting') return;
        const { outputs, handle } = decided(activity, event);
        this.#complete(activity, outputs, handle);
        return;
      }
      case 'notified': {
        const activity = this.#active.find(event.key);
        if (activity) activity.isNotified = true;
        return;
      }
      case 'approval_expired': {
        const activity = this.#active.find(event.key);
        if (activity?.state !== 'waiting') return;
        if (this.#continuesAt(activity.node, TIMEOUT_HANDLE))
          this.#complete(activity, undecided(activity.node), TIMEOUT_HANDLE);
        else this.#fail(activity, expiry(activity.node));
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
    const activity = this.#active.find(key);
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
      startedMs: this.#clock.nowMs,
      attempt: 1,
      state: nature === 'body' ? 'body' : nature === 'wait' ? 'waiting' : 'running',
      untilMs: 0,
      config: {},
      inputs: {},
      cost: NO_COST,
      body: nature === 'body' ? newBody(node) : null,
    };
    this.#active.add(activity);
    this.#ready.started(node);
    const fault = resolveReferences(activity, this.#variables.lookup(frame), this.#compiled.graph);
    if (nature === 'wait') activity.untilMs = this.#clock.nowMs + Math.min(timeoutMs(activity.config), MAX_TIMEOUT_MS);
    const shown = node.type === 'start' ? {} : shownInputs(activity.config, fields, activity.inputs);
    this.#emit('node_started', {
      ...placeOf(activity),
      status: activity.state === 'waiting' ? 'waiting' : 'running',
      ...(Object.keys(shown).length > 0 && { inputs: shown }),
      ...(nature === 'wait' && waitPayload(activity)),
    });
    if (this.#steps > maxSteps) {
      const message = `The run executed more than ${maxSteps} nodes. Look for a loop without end, or raise settings.max_steps.`;
      this.#end('failed', { code: 'too_many_steps', message }, activity);
    } else if (fault !== null)
      this.#fail(activity, { code: 'too_large', message: `The node's configuration ${fault}.` });
    else if (nature === 'control') this.#control.perform(activity);
    else if (nature === 'body') this.#passes.begin(activity);
    else this.#command(activity);
  }

  #continuesAt({ id }: GraphNode, handle: string): boolean {
    return this.#compiled.outgoing.get(id)!.some(({ sourceHandle }) => sourceHandle === handle);
  }

  #complete(activity: Activity, outputs: JsonObject, handle: string): void {
    const { frame, node } = activity;
    const kept = this.#variables.keep(frame, node, outputs);
    if ('failure' in kept) {
      this.#fail(activity, kept.failure);
      return;
    }
    this.#finish(activity, 'succeeded', { outputs: shownOutputs(node, outputs, kept.values) });
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
    for (const activity of this.#active.newestFirst()) {
      if (activity.frame !== frame) continue;
      if (activity.body) this.#passes.close(activity, 'cancelled');
      if (this.#active.find(activity.key)) {
        if (activity.state !== 'body') this.#commands.push({ type: 'abort', key: activity.key });
        this.#finish(activity, 'cancelled', {});
      }
    }
    this.#joins.close(frame, status);
    this.#answers.giveUp(frame);
    if (!frame.isClosed) this.#variables.release(frame);
  }

  #finish(
    activity: Activity,
    status: EndedStatus,
    result: Pick<EnginePayloads['node_finished'], 'outputs' | 'failure'>,
  ): void {
    this.#active.remove(activity);
    this.#ready.finished(activity.node);
    this.#emit('node_finished', { ...finishedPayload(activity, status, this.#clock.nowMs), ...result });
  }

  #end(status: 'succeeded' | 'failed' | 'cancelled', failure: Failure | null, by: Activity | null): void {
    if (this.#top) this.#closeFrame(this.#top, 'cancelled');
    this.status = status;
    this.failure = failure && runFailure(failure, by);
    this.#ready.clear();
    const result = { status, outputs: this.outputs, elapsed_ms: this.#clock.elapsedMs, ...usageOf(this.cost) };
    this.#emit('workflow_finished', { ...result, ...shownFailure(this.failure) });
    this.#commands.push({ type: 'end' });
  }

  #command(activity: Activity): void {
    const command = commandOf(activity);
    if (command) this.#commands.push(command);
  }

  readonly #emit: Emit = (type, payload) => this.#show(type, payload);

  #show(type: StreamEventType, payload: JsonObject): void {
    this.#outputs.push({ kind: 'event', type, payload });
  }
}

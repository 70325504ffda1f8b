import { type Command, type EngineEvent, NO_COST, type Output } from '../engine/engine-events.ts';
import type { RunMachine } from '../engine/run-machine.ts';
import type { GraphNode } from '../graph/graph.ts';
import { nodeSeconds } from '../graph/node-seconds.ts';
import type { Driven, DriveOptions, DrivePorts, LeasedWork, Left } from './drive-ports.ts';
import { NodeAbandoned, NodeFailed, type NodeResult } from './node-effects.ts';
import { type Decision, QUEUED_GRACE_MS, type RunHead } from './run.ts';
import { type Rest, SaidChanged } from './run-ports.ts';
import { runUsage } from './run-usage.ts';

/** Interval of polling for others' requests. */
const POLL_INTERVAL_MS = 1_000;
/** Longest time that a run computes without a pause. */
const MAX_BUSY_MS = 20;
/** Part of a function's time that is kept for recording. */
const RESERVE_MS = 3_000;
/** Leaves room in a function's event of at most 6 MB. */
const MAX_OUTPUT_BYTES = 4_000_000;

/** Nodes without an effect, which may be performed again after a crash. */
const PURE: readonly GraphNode['type'][] = ['template', 'list_operator'];

/**
 * Continues a run until it ends, waits for people, or another function must continue because this one's time is too short for the next
 * node. Progress is saved before every side effect: after a crash the next function requests the same effects under the same keys.
 * @throws LeaseLost; errors of the store.
 */
export async function driveRun(work: LeasedWork, options: DriveOptions, ports: DrivePorts): Promise<Driven> {
  const driver = new Driver(work, options, ports);
  const left = await driver.drive();
  return { left, nextEntry: driver.nextEntry };
}

class Driver {
  readonly #work: LeasedWork;
  readonly #options: DriveOptions;
  readonly #ports: DrivePorts;
  readonly #machine: RunMachine;
  readonly #calls = new Map<string, AbortController>();
  /** Events that are to be processed. */
  #inbox: EngineEvent[] = [];
  #wake: () => void = () => undefined;
  /** Taken up, and not recorded yet. */
  #unrecorded: EngineEvent[] = [];
  nextEntry: number;
  #givesWayAtMs: number;
  readonly #delays = new Map<string, { readonly attempt: number; readonly untilMs: number }>();
  /** Decisions whose time is over: nothing more is waited for. */
  readonly #expired = new Set<string>();
  /** Nodes that do not fit into this function's time. */
  #late: Command[] = [];

  constructor(work: LeasedWork, options: DriveOptions, ports: DrivePorts) {
    this.#work = work;
    this.#options = options;
    this.#ports = ports;
    this.#machine = work.machine;
    this.nextEntry = work.nextEntry;
    this.#givesWayAtMs = ports.clock.now() + MAX_BUSY_MS;
  }

  async drive(): Promise<Left> {
    const ended = new AbortController();
    const polling = this.#poll(ended.signal);
    const cancel = () => this.#deliver({ type: 'cancelled', atMs: this.#now(), by: 'client' });
    const { client } = this.#options;
    if (client?.aborted) cancel();
    else client?.addEventListener('abort', cancel, { once: true });
    try {
      if (this.#work.isResumed) this.#deliver({ type: 'resumed', atMs: this.#now() });
      this.#request(this.#work.head);
      return await this.#loop();
    } finally {
      client?.removeEventListener('abort', cancel);
      ended.abort();
      for (const call of this.#calls.values()) call.abort();
      await polling;
    }
  }

  async #loop(): Promise<Left> {
    // What has come meanwhile comes first: a run that is cancelled starts nothing any more.
    const taken = this.#takeUp();
    await this.#expire();
    let commands: readonly Command[] = [...this.#work.commands, ...taken, ...this.#takeUp()];
    for (;;) {
      await this.#carryOut(commands);
      if (this.#machine.status !== 'running') return this.#end();
      await this.#notify();
      if (this.#inbox.length === 0 && this.#calls.size === 0 && this.#delays.size === 0) {
        if (this.#late.length > 0) return this.#handOver();
        if (this.#machine.isWaiting && Math.min(...this.#dueTimes()) > this.#now()) return this.#wait();
      }
      await this.#something();
      await this.#giveWay();
      await this.#expire();
      commands = this.#takeUp();
    }
  }

  /** Waits until something has happened, or is due. */
  async #something(): Promise<void> {
    if (this.#inbox.length > 0) return;
    const over = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const untilMs = Math.min(this.#machine.deadlineMs, ...this.#dueTimes());
    await Promise.race([promise, this.#ports.pause.wait(Math.max(0, untilMs - this.#now()), over.signal)]);
    this.#wake = () => undefined;
    over.abort();
  }

  /** Nodes that take no time would keep everything else of a process waiting. */
  async #giveWay(): Promise<void> {
    if (this.#now() < this.#givesWayAtMs) return;
    await this.#ports.pause.wait(0, new AbortController().signal);
    this.#givesWayAtMs = this.#now() + MAX_BUSY_MS;
  }

  #dueTimes(): number[] {
    return [
      ...[...this.#delays.values()].map(({ untilMs }) => untilMs),
      ...this.#machine.pendingDecisions.filter(({ key }) => !this.#expired.has(key)).map(({ untilMs }) => untilMs),
    ];
  }

  /** Ends the waits whose time is over. A person who has decided at the same moment comes first, or is refused. */
  async #expire(): Promise<void> {
    const atMs = this.#now();
    for (const { key, untilMs } of this.#machine.pendingDecisions) {
      if (untilMs > atMs || this.#expired.has(key)) continue;
      this.#expired.add(key);
      const isFirst = await this.#ports.leases.decide(
        this.#work.lease,
        key,
        { decision: 'expired', by: '', comment: '', atMs: untilMs },
        atMs,
      );
      if (isFirst) this.#deliver({ type: 'approval_expired', atMs, key });
      else await this.#hear();
    }
  }

  /** Everything that has happened since, in one go. */
  #takeUp(): readonly Command[] {
    const nowMs = this.#now();
    const commands: Command[] = [];
    const take = (event: EngineEvent): void => {
      if (this.#machine.status !== 'running') return;
      this.#unrecorded.push(event);
      const step = this.#machine.apply(event);
      this.#show(step.outputs);
      commands.push(...step.commands);
    };
    for (const event of this.#inbox.splice(0)) take(event);
    for (const [key, { attempt, untilMs }] of this.#delays)
      if (untilMs <= nowMs) {
        this.#delays.delete(key);
        take({ type: 'delay_over', atMs: nowMs, key, attempt });
      }
    if (!this.#machine.isWaiting && this.#machine.deadlineMs <= nowMs) take({ type: 'timed_out', atMs: nowMs });
    return commands;
  }

  async #carryOut(commands: readonly Command[]): Promise<void> {
    let calls: Extract<Command, { type: 'run' }>[] = [];
    for (const command of commands) {
      switch (command.type) {
        case 'run':
          if (this.#fits(command.node)) calls.push(command);
          else this.#late.push(command);
          break;
        case 'delay':
          if (command.untilMs + RESERVE_MS > this.#options.deadlineMs) this.#late.push(command);
          else this.#delays.set(command.key, command);
          break;
        case 'abort':
          calls = calls.filter(({ key }) => key !== command.key);
          this.#calls.get(command.key)?.abort(new NodeAbandoned());
          this.#calls.delete(command.key);
          this.#delays.delete(command.key);
          this.#late = this.#late.filter((late) => late.type === 'end' || late.key !== command.key);
          break;
      }
    }
    if (this.#machine.status !== 'running') return;
    if (calls.some(({ node }) => !PURE.includes(node.type))) await this.#record();
    for (const call of calls) this.#begin(call);
  }

  #fits(node: GraphNode): boolean {
    return this.#now() + nodeSeconds(node) * 1000 + RESERVE_MS <= this.#options.deadlineMs;
  }

  #begin({ key, node, attempt, config, inputs }: Extract<Command, { type: 'run' }>): void {
    const { lease, head } = this.#work;
    const call = new AbortController();
    this.#calls.set(key, call);
    const { workspaceId, runId } = lease;
    const { workflowId, trigger } = head;
    const isOpen = () => this.#calls.get(key) === call;
    const performed = this.#ports.effects.perform(
      {
        run: { workspaceId, runId, workflowId, trigger },
        ...{ key, node, attempt, config, inputs },
        context: this.#machine.context,
        environment: this.#machine.environment,
      },
      {
        signal: call.signal,
        deadlineMs: this.#options.deadlineMs - RESERVE_MS,
        text: (text) => {
          if (isOpen()) this.#show(this.#machine.progress({ type: 'text', key, text }));
        },
        progress: (event, payload) => {
          if (isOpen()) this.#show(this.#machine.progress({ type: 'progress', key, event, payload }));
        },
      },
    );
    performed.then(checked).then(
      ({ outputs, handle, cost }) => {
        if (!isOpen()) return;
        this.#calls.delete(key);
        const more = { ...(handle !== undefined && { handle }), ...(cost && { cost: { ...NO_COST, ...cost } }) };
        this.#deliver({ type: 'done', atMs: this.#now(), key, attempt, outputs, ...more });
      },
      (error: unknown) => {
        if (!isOpen()) return;
        this.#calls.delete(key);
        const failed = error instanceof NodeFailed ? error : this.#fault(error);
        const { failure, isPassing, cost } = failed;
        const spent = cost && { cost: { ...NO_COST, ...cost } };
        this.#deliver({ type: 'failed', atMs: this.#now(), key, attempt, failure, isPassing, ...spent });
      },
    );
  }

  #fault(error: unknown): NodeFailed {
    this.#ports.onFault(this.#work.lease.runId, error);
    return new NodeFailed('internal_error', 'Something went wrong on our side. Run it again.', { isPassing: true });
  }

  #deliver(event: EngineEvent): void {
    this.#inbox.push(event);
    this.#wake();
  }

  async #poll(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#ports.pause.wait(POLL_INTERVAL_MS, signal);
      if (signal.aborted) return;
      await this.#hear(signal);
    }
  }

  /** Reads others' requests. A record that cannot be read is not a reason to stop: it is read again. */
  async #hear(signal?: AbortSignal): Promise<void> {
    const requests = await this.#ports.leases.requests(this.#work.lease).catch(() => null);
    if (requests && !signal?.aborted) this.#request(requests);
  }

  /** Processes others' requests. An obsolete request changes nothing. */
  #request({ cancelledBy, decisions }: Pick<RunHead, 'cancelledBy' | 'decisions'>): void {
    const atMs = this.#now();
    if (cancelledBy !== null) this.#deliver({ type: 'cancelled', atMs, by: cancelledBy });
    for (const { key } of this.#machine.pendingDecisions) {
      const found = decisions[key];
      if (found) this.#deliver(eventOf(found, key, atMs));
    }
  }

  async #record(): Promise<void> {
    const events = this.#unrecorded.splice(0);
    if (events.length > 0) this.nextEntry = await this.#ports.leases.append(this.#work.lease, this.nextEntry, events);
  }

  async #end(): Promise<'ended'> {
    const { status, failure, cost } = this.#machine;
    if (status === 'running') throw new Error('The run has not ended.');
    const atMs = this.#now();
    const { workspaceId } = this.#work.lease;
    const usage = runUsage({ workspaceId, trigger: this.#work.head.trigger }, cost, atMs);
    await this.#rest({ kind: 'ended', ending: { status, failure, cost }, usage, atMs });
    return 'ended';
  }

  async #wait(): Promise<Left> {
    const { pendingDecisions } = this.#machine;
    // Left to a worker: functions of requests have no right to write to channels.
    const needsNotice = pendingDecisions.some((pending) => pending.needsNotice);
    const dueAtMs = needsNotice ? this.#now() : Math.min(...pendingDecisions.map(({ untilMs }) => untilMs));
    await this.#rest({ kind: 'waiting', dueAtMs });
    if (needsNotice) await this.#callWorker();
    return 'waiting';
  }

  async #handOver(): Promise<Left> {
    await this.#rest({ kind: 'queued', dueAtMs: this.#now() + QUEUED_GRACE_MS });
    await this.#callWorker();
    return 'handed_over';
  }

  /** Where this fails, the reconciler does it. */
  async #callWorker(): Promise<void> {
    const { workspaceId, runId } = this.#work.lease;
    await this.#ports.queue.send([{ workspaceId, runId }]).catch((error: unknown) => this.#ports.onFault(runId, error));
  }

  /** The wait is recorded before anyone is notified; mails are stored in one transaction with their record. */
  async #notify(): Promise<void> {
    const { notify } = this.#options;
    const unnotified = this.#machine.pendingDecisions.filter(({ needsNotice }) => needsNotice);
    if (!notify || unnotified.length === 0) return;
    await this.#record();
    for (const pending of unnotified) {
      const mails = await notify(pending);
      const event: EngineEvent = { type: 'notified', atMs: this.#now(), key: pending.key };
      this.#machine.apply(event);
      this.nextEntry = await this.#ports.leases.append(this.#work.lease, this.nextEntry, [event], mails);
    }
  }

  async #rest(rest: Rest): Promise<void> {
    const { head, lease } = this.#work;
    const { leases } = this.#ports;
    const { later } = this.#options;
    if (!later || rest.kind === 'queued' || head.trigger.conversation === undefined) {
      const events = this.#unrecorded.splice(0);
      this.nextEntry = await leases.rest(lease, this.nextEntry, events, rest);
      return;
    }
    // Recorded first, and said before the run rests: after a crash another function says the same, which the conversation knows by its key.
    await this.#record();
    for (;;) {
      const said = await later(lease);
      try {
        this.nextEntry = await leases.rest(lease, this.nextEntry, [], rest, said);
        return;
      } catch (error) {
        if (!(error instanceof SaidChanged)) throw error;
      }
    }
  }

  #show(outputs: readonly Output[]): void {
    if (outputs.length > 0) this.#options.onOutputs?.(outputs);
  }

  #now(): number {
    return this.#ports.clock.now();
  }
}

function eventOf({ decision, ...more }: Decision, key: string, atMs: number): EngineEvent {
  if (decision === 'expired') return { type: 'approval_expired', atMs, key };
  return { type: 'decided', ...more, decision, key, atMs };
}

function checked(result: NodeResult): NodeResult {
  const bytes = Buffer.byteLength(JSON.stringify(result.outputs));
  if (bytes <= MAX_OUTPUT_BYTES) return result;
  throw new NodeFailed(
    'output_too_large',
    `The node gave out ${bytes} bytes of JSON, and ${MAX_OUTPUT_BYTES} are kept. Give out less, or the address of it.`,
    { ...(result.cost && { cost: result.cost }) },
  );
}

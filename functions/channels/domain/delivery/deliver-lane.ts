import type { Verdict } from '../../../shared/leases/lease.ts';
import { runLeased } from '../../../shared/leases/run-leased.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { Channel } from '../channel.ts';
import type { SendOutcome } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import { type Breaker, circuitOf, type Permission } from './breaker.ts';
import { type CircuitPorts, enterCircuit, leaveCircuit } from './circuit.ts';
import type { ChannelSecrets, DeliveryReads, LaneQueues, Lanes, Sender } from './delivery-ports.ts';
import { acquireLane, deadLetterOf, releaseFor } from './lane-runs.ts';
import type { DeadLetter, Lane, LaneMessage } from './messages.ts';
import { deliveryDelayMs, MAX_FAILING_MS, MAX_RETRIES } from './retries.ts';

export interface DeliverPorts extends CircuitPorts {
  readonly lanes: Lanes;
  readonly reads: DeliveryReads;
  readonly secrets: ChannelSecrets;
  readonly sender: Sender;
  readonly queues: LaneQueues;
  readonly ids: Ids;
  readonly random: () => number;
  /** Called when the receiver wants no more messages. */
  readonly disable: (channel: Channel, reason: string) => Promise<void>;
  readonly onDead: (letter: DeadLetter) => Promise<void>;
}

type Outbound = Lane<'outbound'>;

/** Longer than an attempt takes: so much of the lease is left when one begins. */
export const ATTEMPT_RESERVE_MS = 15_000;

/**
 * Delivers the messages of a lane in their order, for one delivery of its queue message. A message that fails is waited
 * for: those behind it in the conversation do not overtake it.
 * @param deadlineMs epoch time at which this worker ends for certain; its lease expires then.
 * @throws an error that another delivery may get over
 */
export function deliverLane(message: LaneMessage & { direction: 'outbound' }, deadlineMs: number, ports: DeliverPorts) {
  const fence = ports.ids.next('run');
  let held: Outbound | null = null;
  return runLeased<Outbound, never>({
    acquire: () => acquireLane(message, fence, deadlineMs, ports),
    async run(lane) {
      held = lane;
      await deliverAll(lane, deadlineMs, ports, (current) => {
        held = current;
      });
      return { kind: 'recorded' };
    },
    endingOf: () => null,
    end: async () => undefined,
    release: async () => held && ports.lanes.release(held),
  }) satisfies Promise<Verdict>;
}

async function deliverAll(
  first: Outbound,
  deadlineMs: number,
  ports: DeliverPorts,
  onHeld: (lane: Outbound | null) => void,
): Promise<void> {
  let read = await readFor(first, ports);
  for (let lane: Outbound | null = first; lane !== null; onHeld(lane)) {
    if (ports.clock.now() > deadlineMs - ATTEMPT_RESERVE_MS) return releaseFor(lane, { untilMs: 0 }, ports);
    const next = await deliverHead(lane, read, ports);
    if (next === 'waits') return onHeld(null);
    lane = next;
    if (lane !== null) read = await readFor(lane, ports);
  }
}

interface Read {
  readonly channel: Channel | null;
  readonly breaker: Breaker | null;
  readonly circuit: string;
}

/** The address of a channel may have changed since its messages were queued: then its breaker is another one. */
async function readFor({ channelId, circuit }: Outbound, { reads }: DeliverPorts): Promise<Read> {
  const read = await reads.channelAndBreaker(channelId, circuit);
  const current = read.channel === null ? circuit : circuitOf(read.channel);
  if (current === circuit) return { ...read, circuit };
  return { ...(await reads.channelAndBreaker(channelId, current)), circuit: current };
}

/** @returns the lane without its first message, null when that was the last one, 'waits' when it is to be tried again. */
async function deliverHead(lane: Outbound, read: Read, ports: DeliverPorts): Promise<Outbound | null | 'waits'> {
  const { channel, breaker, circuit } = read;
  if (channel === null) return bury(lane, 'channel_removed', lane.attempts, ports);
  if (channel.status === 'disabled') return bury(lane, 'channel_disabled', lane.attempts, ports);
  const { fence, attempts, failingSinceMs } = lane;
  const permission = await enterCircuit(circuit, breaker, fence, ports);
  if (permission.kind === 'refused' || permission.kind === 'wait') {
    // An open circuit takes no new message; one that has been tried waits for it.
    const isNew = attempts === 0 && permission.kind === 'refused';
    const isOld = failingSinceMs !== null && ports.clock.now() - failingSinceMs > MAX_FAILING_MS;
    if (isNew || isOld) return bury(lane, 'circuit_open', attempts, ports);
    await releaseFor(lane, { untilMs: permission.untilMs }, ports);
    return 'waits';
  }
  const outcome = await attemptHead(lane, channel, ports);
  return afterSend(lane, channel, { circuit, breaker, permission, outcome }, ports);
}

async function attemptHead(lane: Outbound, channel: Channel, ports: DeliverPorts): Promise<SendOutcome> {
  const { channelId, conversationId, attempts } = lane;
  const { messageId: id, text, target, isFirst } = lane.messages[0]!;
  const access = await ports.secrets.open(channel, ports.clock.now());
  const part = { id, text, target, isFirst, channelId, conversationId, attempt: attempts + 1 };
  return ports.sender.send(platforms[channel.type], part, access);
}

interface Sent {
  readonly circuit: string;
  readonly breaker: Breaker | null;
  readonly permission: Permission & { readonly kind: 'send' | 'probe' };
  readonly outcome: SendOutcome;
}

async function afterSend(
  lane: Outbound,
  channel: Channel,
  { circuit, breaker, permission, outcome }: Sent,
  ports: DeliverPorts,
): Promise<Outbound | null | 'waits'> {
  const leave = () => leaveCircuit(circuit, breaker, permission, outcome, ports);
  if (outcome.kind === 'delivered') {
    // First: what is not recorded is sent again.
    const next = await ports.lanes.removeHead(lane);
    await leave();
    return next;
  }
  await leave();
  const attempts = lane.attempts + 1;
  if (outcome.kind === 'gone') {
    await ports.disable(channel, outcome.code);
    return bury(lane, outcome.code, attempts, ports);
  }
  if (!outcome.isPassing || attempts > MAX_RETRIES) return bury(lane, outcome.code, attempts, ports);
  const nowMs = ports.clock.now();
  const untilMs = nowMs + deliveryDelayMs(attempts, outcome.retryAfterMs, ports.random);
  await releaseFor(lane, { untilMs, attempts, failingSinceMs: lane.failingSinceMs ?? nowMs }, ports);
  return 'waits';
}

async function bury(lane: Outbound, reason: string, attempts: number, ports: DeliverPorts): Promise<Outbound | null> {
  const letter = deadLetterOf(lane, { reason, attempts }, ports);
  const next = await ports.lanes.buryHead(lane, letter, null);
  await ports.onDead(letter);
  return next;
}

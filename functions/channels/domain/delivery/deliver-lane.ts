import type { Verdict } from '../../../shared/leases/lease.ts';
import { runLeased } from '../../../shared/leases/run-leased.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import { type Channel, type ChannelProblem, isHeld, MONTHLY_LIMIT } from '../channel.ts';
import { giveWayMs } from '../give-way.ts';
import { platforms } from '../platforms/platforms.ts';
import type { SendFailure, SendOutcome } from '../platforms/send-outcome.ts';
import { type Breaker, circuitOf, type Permission, permissionOf } from './breaker.ts';
import { type CircuitPorts, enterCircuit, leaveCircuit } from './circuit.ts';
import type {
  ChannelSecrets,
  DeadLetters,
  DeliveryReads,
  LaneQueues,
  Lanes,
  Sender,
  SentReplies,
} from './delivery-ports.ts';
import type { DeliveryShares } from './delivery-shares.ts';
import { acquireLane, type Death, deadLetterOf, releaseFor } from './lane-runs.ts';
import { type DeadLetter, indexOf, type Lane, type LaneMessage, OUTAGE_LETTER_SECONDS, replyIdOf } from './messages.ts';
import { putBack } from './outage-letters.ts';
import { BROKEN_RETRY_MS, deliveryDelayMs, MAX_BROKEN_MS, MAX_FAILING_MS, MAX_RETRIES } from './retries.ts';

export interface DeliverPorts extends CircuitPorts {
  readonly lanes: Lanes;
  readonly deadLetters: Pick<DeadLetters, 'ofOutage' | 'replay'>;
  readonly reads: DeliveryReads;
  readonly secrets: ChannelSecrets;
  readonly sender: Sender;
  readonly sent: Pick<SentReplies, 'remember'>;
  readonly shares: Pick<DeliveryShares, 'within'>;
  readonly queues: LaneQueues;
  readonly ids: Ids;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => number;
  /** Called when the receiver wants no more messages. */
  readonly disable: (channel: Channel, reason: string) => Promise<void>;
  /** Called when the platform refuses the channel's credentials, and with null when it takes them again. */
  readonly onCredentials: (channel: Channel, refusal: SendFailure | null) => Promise<void>;
  readonly onDead: (letter: DeadLetter) => Promise<void>;
}

type Outbound = Lane<'outbound'>;

interface OutboundDeath extends Death {
  /** Nothing is wrong with the message: it is put back before the next reply of its conversation. */
  readonly isOfOutage?: boolean;
}

/** Detail of a reply whose last attempts had no answer. */
const MAY_BE_THERE = 'The platform did not answer in time. It may have delivered the message.';

/** Letters that are put back at once; further ones follow when these are delivered. */
const MAX_PUT_BACK = 100;

/** Longer than an attempt takes: so much of the lease is left when one starts. */
export const ATTEMPT_RESERVE_MS = 40_000;

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
      const shared = await ports.shares.within(lane.workspaceId, () =>
        deliverAll(lane, deadlineMs, ports, (current) => {
          held = current;
        }),
      );
      if (shared.kind === 'full') {
        await releaseFor(lane, { untilMs: ports.clock.now() + giveWayMs(shared.isSlow, ports.random) }, ports);
        held = null;
      }
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
  const { fence, attempts, failingSinceMs } = lane;
  const nowMs = ports.clock.now();
  const given = (reason: string, isOfOutage = false) =>
    bury(lane, { reason, detail: null, attempts, isOfOutage }, ports);
  if (channel === null) return given('channel_removed');
  if (channel.status === 'disabled') return given('channel_disabled');
  const { problem } = channel;
  // One reply at a time finds out whether the credentials are good again.
  if (problem !== null && isHeld(channel) && nowMs < problem.triedAtMs + BROKEN_RETRY_MS)
    return waitForCredentials(lane, problem, problem.triedAtMs + BROKEN_RETRY_MS, ports);
  if (await hasEarlierReplies(lane, channel, breaker, ports)) {
    await releaseFor(lane, { untilMs: 0 }, ports);
    return 'waits';
  }
  const permission = await enterCircuit(
    circuit,
    breaker,
    { owner: fence, messageId: lane.messages[0]!.messageId, hasFailed: attempts > 0 },
    ports,
  );
  if (permission.kind !== 'send' && permission.kind !== 'probe') {
    // An open circuit takes no new message but the next probe; one that has been tried waits for it.
    const isNew = attempts === 0 && permission.kind === 'refused';
    const isOld = failingSinceMs !== null && nowMs - failingSinceMs > MAX_FAILING_MS;
    if (isNew || isOld) return given('circuit_open', true);
    await releaseFor(lane, { untilMs: permission.untilMs }, ports);
    return 'waits';
  }
  const outcome = await attemptHead(lane, channel, ports);
  return afterSend(lane, channel, { circuit, breaker, permission, outcome }, ports);
}

/**
 * Puts the replies that an outage kept back into the lane again, before a new reply of their conversation overtakes them.
 * @returns true when there are some.
 */
async function hasEarlierReplies(
  lane: Outbound,
  channel: Channel,
  breaker: Breaker | null,
  { deadLetters, clock, breakerSettings }: DeliverPorts,
): Promise<boolean> {
  const { messageId, replayedAs } = lane.messages[0]!;
  const { fence: owner, priority, attempts } = lane;
  const isNew = attempts === 0 && replayedAs === undefined && priority === 'normal';
  if (!isNew || breaker === null || breaker.openedAtMs === null) return false;
  const nowMs = clock.now();
  if (breaker.openedAtMs + OUTAGE_LETTER_SECONDS * 1000 < nowMs) return false;
  // An open circuit takes neither.
  const { kind } = permissionOf(breaker, { owner, messageId, hasFailed: false }, nowMs, breakerSettings);
  if (kind === 'refused' || kind === 'reserved') return false;
  const letters = await deadLetters.ofOutage(lane, MAX_PUT_BACK);
  const earlier = letters.filter(({ message }) => message.messageId < messageId);
  return (await putBack(earlier, channel, 'normal', { deadLetters })).length > 0;
}

async function attemptHead(lane: Outbound, channel: Channel, ports: DeliverPorts): Promise<SendOutcome> {
  const { workspaceId, channelId, type, direction, priority, conversationId, previous } = lane;
  const message = lane.messages[0]!;
  const { messageId: id, text, more = [], format, target, parts } = message;
  const platform = platforms[channel.type];
  if (platform.recordsAttempts) await ports.lanes.begin(lane);
  if (platform.reportsFailuresLater)
    await ports.sent.remember({ workspaceId, channelId, type, direction, priority, conversationId, message });
  const access = await ports.secrets.open(channel, ports.clock.now());
  const place = { target, index: indexOf(id), ...(parts !== undefined && { parts }), ...(format && { format }) };
  const part = { id, texts: [text, ...more], channelId, conversationId, previous, ...place };
  return ports.sender.send(platform, part, access);
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
  const { messageId } = lane.messages[0]!;
  const leave = () => leaveCircuit(circuit, breaker, permission, { messageId, outcome }, ports);
  if (outcome.kind === 'delivered') {
    // First, since an unrecorded message would be sent again.
    const next = await ports.lanes.removeHead(lane);
    await leave();
    if (channel.problem !== null && isMended(channel.problem, ports.clock.now()))
      await ports.onCredentials(channel, null);
    return next;
  }
  const { state } = await leave();
  const attempts = lane.attempts + 1;
  if (outcome.kind === 'gone') {
    await ports.disable(channel, outcome.code);
    return buryReply(lane, { reason: outcome.code, detail: null, attempts }, ports);
  }
  const { code, detail, isUnknown } = outcome;
  if (outcome.isChannelBroken) {
    await ports.onCredentials(channel, outcome);
    return waitForCredentials(lane, outcome, ports.clock.now() + BROKEN_RETRY_MS, ports);
  }
  // Where a part is shown as often as it is sent, an attempt whose outcome is unknown is repeated once: people may read it twice, not six times.
  if (isUnknown && lane.previous?.isUnknown && !platforms[channel.type].dropsRepeats)
    return buryReply(lane, { reason: code, detail: detail ?? MAY_BE_THERE, attempts }, ports);
  if (!outcome.isPassing || attempts > MAX_RETRIES) {
    // While the circuit is closed, the fault most likely is in the message.
    const isOfOutage = outcome.isPassing && outcome.isPlatformFault && state !== 'closed';
    return buryReply(lane, { reason: code, detail, attempts, isOfOutage }, ports);
  }
  const nowMs = ports.clock.now();
  const untilMs = nowMs + deliveryDelayMs(attempts, outcome.retryAfterMs, ports.random);
  const failingSinceMs = lane.failingSinceMs ?? nowMs;
  await releaseFor(lane, { untilMs, attempts, failingSinceMs, previous: { code, isUnknown } }, ports);
  return 'waits';
}

/** A free reply that is delivered does not say that a monthly limit has ended: it is reported once a day at most. */
function isMended({ code, sinceMs }: ChannelProblem, nowMs: number): boolean {
  return code !== MONTHLY_LIMIT || nowMs - sinceMs > MAX_BROKEN_MS;
}

/** A reply that nothing is wrong with but the channel's credentials waits for others, without using up an attempt. */
async function waitForCredentials(
  lane: Outbound,
  { code, detail }: Pick<SendFailure, 'code' | 'detail'>,
  untilMs: number,
  ports: DeliverPorts,
): Promise<Outbound | null | 'waits'> {
  const { createdAtMs } = lane.messages[0]!;
  if (ports.clock.now() - createdAtMs > MAX_BROKEN_MS)
    return bury(lane, { reason: code, detail, attempts: lane.attempts }, ports);
  await releaseFor(lane, { untilMs, attempts: 0, failingSinceMs: null, previous: null }, ports);
  return 'waits';
}

/** Gives up a part that was refused, and the parts of the same reply behind it: a reply with a hole in it misleads. */
async function buryReply(lane: Outbound, death: OutboundDeath, ports: DeliverPorts): Promise<Outbound | null> {
  const reply = replyIdOf(lane.messages[0]!.messageId);
  let next = await bury(lane, death, ports);
  while (next !== null && replyIdOf(next.messages[0]!.messageId) === reply)
    next = await bury(next, { ...death, reason: 'part_before_refused', attempts: 0 }, ports);
  return next;
}

async function bury(
  lane: Outbound,
  { isOfOutage = false, ...death }: OutboundDeath,
  ports: DeliverPorts,
): Promise<Outbound | null> {
  const letter = deadLetterOf(lane, death, ports);
  const next = await ports.lanes.buryHead(lane, letter, { isOfOutage: isOfOutage && lane.priority === 'normal' });
  await ports.onDead(letter);
  return next;
}

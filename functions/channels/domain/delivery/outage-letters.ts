import { laneOwner } from '../accept-webhook.ts';
import type { Channel } from '../channel.ts';
import type { Channels } from '../channel-ports.ts';
import { type BreakerSettings, circuitOf, permissionOf } from './breaker.ts';
import { type Breakers, type DeadLetters, LaneFull, type LaneQueues } from './delivery-ports.ts';
import { laneMessage, laneRefOf } from './lane-runs.ts';
import type { DeadLetter, LaneMessage, Priority, QueuedOutbound } from './messages.ts';

export interface OutageLetterPorts {
  readonly channels: Pick<Channels, 'find'>;
  readonly breakers: Pick<Breakers, 'find'>;
  readonly breakerSettings: BreakerSettings;
  readonly deadLetters: Pick<DeadLetters, 'ofChannelOutage' | 'replay'>;
  readonly queues: LaneQueues;
  readonly clock: { now(): number };
}

/** Letters of a channel that are put back in one round; further ones follow in the next. */
const MAX_LETTERS = 500;

/**
 * Puts the replies that an outage left behind back into their conversations once the circuit is closed. While it is open, one of
 * them finds out whether the platform is back.
 * @returns how many were put back.
 */
export async function putBackOutageLetters(channelId: string, ports: OutageLetterPorts): Promise<number> {
  const { channels, breakers, breakerSettings, deadLetters, queues, clock } = ports;
  const letters = await deadLetters.ofChannelOutage(channelId, MAX_LETTERS);
  if (letters.length === 0) return 0;
  const channel = await channels.find(channelId);
  if (channel === null || channel.status === 'disabled' || channel.problem !== null) return 0;
  const breaker = await breakers.find(circuitOf(channel));
  const isClosed = breaker === null || breaker.state === 'closed';
  const asking = { owner: '', messageId: letters[0]!.message.messageId, hasFailed: false };
  if (!isClosed && permissionOf(breaker, asking, clock.now(), breakerSettings).kind !== 'probe') return 0;
  const back = await putBack(isClosed ? letters : letters.slice(0, 1), channel, 'low', { deadLetters });
  const lanes = new Map<string, LaneMessage>();
  for (const letter of back) {
    const ref = laneRefOf({ ...letter, direction: 'outbound', priority: 'normal' });
    lanes.set(ref.conversation, laneMessage(channel, ref, 'low'));
  }
  if (lanes.size > 0) await queues.send([...lanes.values()]);
  return back.length;
}

/** Puts letters back in their order. @returns those that were still there, without those that did not fit. */
export async function putBack(
  letters: readonly DeadLetter[],
  channel: Channel,
  replayedAs: Priority,
  { deadLetters }: { readonly deadLetters: Pick<DeadLetters, 'replay'> },
): Promise<DeadLetter[]> {
  const back: DeadLetter[] = [];
  const full = new Set<string>();
  for (const letter of letters) {
    const { channelId, conversationId } = letter;
    if (full.has(conversationId)) continue;
    const message = { ...letter.message, replayedAs } as QueuedOutbound;
    const lane = { channelId, direction: 'outbound', priority: 'normal', conversationId } as const;
    try {
      if (await deadLetters.replay({ ...letter, message }, lane, laneOwner(channel))) back.push(letter);
    } catch (error) {
      // The others of the conversation follow when some of these are delivered.
      if (!(error instanceof LaneFull)) throw error;
      full.add(conversationId);
    }
  }
  return back;
}

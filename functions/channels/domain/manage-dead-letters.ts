import { laneOwner } from './accept-webhook.ts';
import type { Channel } from './channel.ts';
import type { Channels } from './channel-ports.ts';
import { ChannelRefused } from './channel-refused.ts';
import { type DeadLetterFilter, type DeadLetters, LaneFull, type LaneQueues } from './delivery/delivery-ports.ts';
import { laneMessage, laneRefOf } from './delivery/lane-runs.ts';
import type { DeadLetter, LaneId, Priority } from './delivery/messages.ts';

export interface ReplayPorts {
  readonly deadLetters: DeadLetters;
  readonly channels: Pick<Channels, 'find'>;
  readonly queues: LaneQueues;
  readonly onUnsent: (channelId: string, error: unknown) => void;
}

export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetter[];
  readonly nextCursor: string | null;
}

/** Newest first. */
export async function deadLetterPage(
  workspaceId: string,
  {
    filter,
    limit,
    before,
  }: { readonly filter: DeadLetterFilter; readonly limit: number; readonly before: string | null },
  { deadLetters }: Pick<ReplayPorts, 'deadLetters'>,
): Promise<DeadLetterPage> {
  const found = await deadLetters.list(workspaceId, filter, limit + 1, before);
  const page = found.slice(0, limit);
  return { deadLetters: page, nextCursor: found.length > limit ? page.at(-1)!.deadLetterId : null };
}

/** Puts one back into its conversation, through the queue that it came from. @throws ChannelRefused */
export async function replayDeadLetter(workspaceId: string, deadLetterId: string, ports: ReplayPorts): Promise<void> {
  const letter = await ports.deadLetters.find(workspaceId, deadLetterId);
  if (letter === null) throw notFound();
  const channel = await ports.channels.find(letter.channelId);
  const refusal = refusalOf(channel);
  if (refusal !== null) throw refusal;
  if (!(await putBack(letter, channel!, letter.priority, ports))) throw notFound();
}

/** @throws ChannelRefused */
export async function removeDeadLetter(
  workspaceId: string,
  deadLetterId: string,
  { deadLetters }: Pick<ReplayPorts, 'deadLetters'>,
): Promise<void> {
  const letter = await deadLetters.find(workspaceId, deadLetterId);
  if (letter === null || !(await deadLetters.remove(letter))) throw notFound();
}

export interface BulkReplay {
  readonly replayed: number;
  /** Could not be put back: their channel is removed or disabled, or their conversation is full. */
  readonly skipped: number;
  /** True when there may be more that fit. */
  readonly hasMore: boolean;
}

const CONCURRENCY = 10;
const PAGE_SIZE = 100;

/**
 * Puts back those that fit a filter, oldest first, through the queue of the lowest priority: conversations that people wait in
 * go first. Messages of one conversation keep their order, however many there are.
 * @param untilMs epoch time at which it stops.
 */
export async function replayMatching(
  workspaceId: string,
  filter: DeadLetterFilter,
  { untilMs, now }: { readonly untilMs: number; readonly now: () => number },
  ports: ReplayPorts,
): Promise<BulkReplay> {
  const totals = { replayed: 0, skipped: 0 };
  const round: ReplayRound = { channels: new Map(), full: new Set() };
  let page: readonly DeadLetter[];
  let after: string | null = null;
  do {
    if (now() > untilMs) return { ...totals, hasMore: true };
    page = await ports.deadLetters.listOldest(workspaceId, filter, PAGE_SIZE, after);
    await inParallel(page, round, totals, ports, () => now() > untilMs);
    if (now() > untilMs) return { ...totals, hasMore: true };
    after = page.at(-1)?.deadLetterId ?? null;
  } while (page.length === PAGE_SIZE);
  return { ...totals, hasMore: false };
}

/** @returns those that are not there. */
export async function replayNamed(
  workspaceId: string,
  deadLetterIds: readonly string[],
  ports: ReplayPorts,
): Promise<BulkReplay> {
  const totals = { replayed: 0, skipped: 0 };
  const found = await Promise.all(deadLetterIds.map((id) => ports.deadLetters.find(workspaceId, id)));
  const letters = found.filter((letter) => letter !== null);
  await inParallel(
    letters.sort((a, b) => (a.deadLetterId < b.deadLetterId ? -1 : 1)),
    { channels: new Map(), full: new Set() },
    totals,
    ports,
  );
  return { ...totals, skipped: totals.skipped + found.length - letters.length, hasMore: false };
}

/** State shared by the parallel parts of a bulk replay. */
interface ReplayRound {
  readonly channels: Map<string, Promise<Channel | null>>;
  /** Conversations that can take no more: their later messages must not overtake those that stay behind. */
  readonly full: Set<string>;
}

async function inParallel(
  letters: readonly DeadLetter[],
  { channels, full }: ReplayRound,
  totals: { replayed: number; skipped: number },
  ports: ReplayPorts,
  isOver = () => false,
): Promise<void> {
  // Those of one conversation one after another.
  const conversationOf = ({ channelId, conversationId }: DeadLetter) => `${channelId} ${conversationId}`;
  const waiting = [...Map.groupBy(letters, conversationOf).values()];
  const putBackOne = async (letter: DeadLetter): Promise<boolean> => {
    const { channelId } = letter;
    const channel = await (channels.get(channelId) ??
      channels.set(channelId, ports.channels.find(channelId)).get(channelId)!);
    if (refusalOf(channel) !== null || full.has(conversationOf(letter))) return false;
    try {
      return await putBack(letter, channel!, 'low', ports);
    } catch (error) {
      if (!(error instanceof ChannelRefused)) throw error;
      full.add(conversationOf(letter));
      return false;
    }
  };
  const turn = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      for (const letter of group) {
        if (isOver()) return;
        totals[(await putBackOne(letter)) ? 'replayed' : 'skipped'] += 1;
      }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, turn));
}

async function putBack(
  letter: DeadLetter,
  channel: Channel,
  priority: DeadLetter['priority'],
  { deadLetters, queues, onUnsent }: ReplayPorts,
): Promise<boolean> {
  const { channelId } = letter;
  const { lane, put, queue } = placeOf(letter, priority ?? 'normal');
  try {
    if (!(await deadLetters.replay(put, lane, laneOwner(channel)))) return false;
  } catch (error) {
    if (!(error instanceof LaneFull)) throw error;
    throw new ChannelRefused('conversation_full', 'Too many messages wait in this conversation. Replay it later.');
  }
  await queues
    .send([laneMessage(letter, laneRefOf(lane), queue)])
    .catch((error: unknown) => onUnsent(channelId, error));
  return true;
}

/** Replies that are replayed go into the lane of the conversation's replies, so that no later one overtakes them. */
function placeOf(letter: DeadLetter, priority: Priority): { lane: LaneId; put: DeadLetter; queue?: Priority } {
  const { channelId, conversationId, direction, message } = letter;
  if (direction === 'inbound') return { lane: { channelId, conversationId, direction, priority: null }, put: letter };
  return {
    lane: { channelId, conversationId, direction, priority: priority === 'high' ? 'high' : 'normal' },
    put: { ...letter, message: { ...message, replayedAs: priority } as DeadLetter['message'] },
    ...(priority === 'low' && { queue: priority }),
  };
}

function refusalOf(channel: Channel | null): ChannelRefused | null {
  if (channel === null)
    return new ChannelRefused('channel_removed', 'The channel of this message is removed: it cannot be replayed.');
  if (channel.status === 'disabled')
    return new ChannelRefused(
      'channel_disabled',
      'The channel of this message is disabled. Set its status to active first.',
    );
  return null;
}

function notFound(): ChannelRefused {
  return new ChannelRefused('dead_letter_not_found', 'Dead letter not found in this workspace.');
}

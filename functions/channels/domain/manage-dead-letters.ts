import { laneOwner } from './accept-webhook.ts';
import type { Channel } from './channel.ts';
import type { Channels } from './channel-ports.ts';
import { ChannelRefused } from './channel-refused.ts';
import { type DeadLetterFilter, type DeadLetters, LaneFull, type LaneQueues } from './delivery/delivery-ports.ts';
import { laneMessage, laneRefOf } from './delivery/lane-runs.ts';
import type { DeadLetter, LaneId } from './delivery/messages.ts';

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

/** Puts one back into its conversation, with the priority that it had. @throws ChannelRefused */
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
  if (!(await deadLetters.remove(workspaceId, deadLetterId))) throw notFound();
}

export interface BulkReplay {
  readonly replayed: number;
  /** Could not be put back: their channel is removed or disabled, or their conversation is full. */
  readonly skipped: number;
  /** True when there may be more that fit. */
  readonly hasMore: boolean;
}

/** So many at a time. */
const CONCURRENCY = 10;
const PAGE_SIZE = 100;

/**
 * Puts back those that fit a filter, oldest pages last, with the lowest priority: what people wait for now goes first.
 * @param untilMs epoch time at which it stops.
 */
export async function replayMatching(
  workspaceId: string,
  filter: DeadLetterFilter,
  { untilMs, now }: { readonly untilMs: number; readonly now: () => number },
  ports: ReplayPorts,
): Promise<BulkReplay> {
  const totals = { replayed: 0, skipped: 0 };
  const known = new Map<string, Promise<Channel | null>>();
  let before: string | null = null;
  do {
    if (now() > untilMs) return { ...totals, hasMore: true };
    const page: DeadLetterPage = await deadLetterPage(workspaceId, { filter, limit: PAGE_SIZE, before }, ports);
    // Within the page in the order in which they came, which their conversations keep.
    await inParallel(page.deadLetters.toReversed(), known, totals, ports);
    before = page.nextCursor;
  } while (before !== null);
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
    new Map(),
    totals,
    ports,
  );
  return { ...totals, skipped: totals.skipped + found.length - letters.length, hasMore: false };
}

async function inParallel(
  letters: readonly DeadLetter[],
  known: Map<string, Promise<Channel | null>>,
  totals: { replayed: number; skipped: number },
  ports: ReplayPorts,
): Promise<void> {
  // Those of one conversation one after another.
  const byConversation = Map.groupBy(letters, ({ channelId, conversationId }) => `${channelId} ${conversationId}`);
  const waiting = [...byConversation.values()];
  const turn = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      for (const letter of group) {
        const { channelId } = letter;
        const channel = await (known.get(channelId) ??
          known.set(channelId, ports.channels.find(channelId)).get(channelId)!);
        const isBack =
          refusalOf(channel) === null && (await putBack(letter, channel!, 'low', ports).catch(fullIsFalse));
        totals[isBack ? 'replayed' : 'skipped'] += 1;
      }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, turn));
}

function fullIsFalse(error: unknown): false {
  if (error instanceof ChannelRefused) return false;
  throw error;
}

async function putBack(
  letter: DeadLetter,
  channel: Channel,
  priority: DeadLetter['priority'],
  { deadLetters, queues, onUnsent }: ReplayPorts,
): Promise<boolean> {
  const { channelId, conversationId, direction } = letter;
  const lane = { channelId, conversationId, direction, priority: direction === 'inbound' ? null : priority } as LaneId;
  try {
    if (!(await deadLetters.replay(letter, lane, laneOwner(channel)))) return false;
  } catch (error) {
    if (!(error instanceof LaneFull)) throw error;
    throw new ChannelRefused('conversation_full', 'Too many messages wait in this conversation. Replay it later.');
  }
  await queues.send([laneMessage(letter, laneRefOf(lane))]).catch((error: unknown) => onUnsent(channelId, error));
  return true;
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
  return new ChannelRefused(
    'dead_letter_not_found',
    'There is no such dead letter in your workspace, or not any more.',
  );
}

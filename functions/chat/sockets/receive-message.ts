import { BoundedMap } from '../../shared/bounded-map.ts';
import { effectiveLimit, socketChatsLimit, socketMessagesLimit } from '../../shared/limits/base-limits.ts';
import { MemoryLimits } from '../../shared/limits/memory-limits.ts';
import { tightest } from '../../shared/limits/rate-limit.ts';
import { type LimitPorts, takeTokens } from '../../shared/limits/take-tokens.ts';
import { SocketGone, type SocketLine, type Sockets } from '../domain/sockets.ts';
import { errorMessage, MAX_MESSAGE_BYTES, type MessageToAnswer, readMessage } from './messages.ts';

export interface ReceivedMessage extends Omit<MessageToAnswer, 'message'> {
  readonly text: string;
}

export interface ReceivePorts {
  readonly sockets: Pick<Sockets, 'find' | 'close'>;
  readonly limits: LimitPorts;
  readonly lineTo: (endpoint: MessageToAnswer['endpoint']) => SocketLine;
  readonly startAnswer: (message: MessageToAnswer) => Promise<void>;
}

/** Sockets whose callers this process remembers. */
const MAX_REMEMBERED = 10_000;
/**
 * Number of refusals that are answered, in addition to the messages accepted since. A client that continues nevertheless does not read
 * them.
 */
const MAX_REFUSALS = 5;

/**
 * Takes the messages of clients: each one, of any kind, costs a token of its caller, and a question one of its chats. A caller without
 * tokens is refused, and loses a connection that does not stop.
 * @returns a function that takes a message, and resolves when it is answered or is being answered
 */
export function messageReceiver({ sockets, limits, lineTo, startAnswer }: ReceivePorts) {
  const callers = new BoundedMap<string, string>(MAX_REMEMBERED);
  const inMemory = new MemoryLimits();
  const refusals = new BoundedMap<string, number>(MAX_REMEMBERED);

  async function callerOf(connectionId: string): Promise<string | null> {
    const known = callers.get(connectionId);
    if (known !== undefined) return known;
    const socket = await sockets.find(connectionId);
    if (socket === null) return null;
    const caller = socket.holders[0]?.name ?? connectionId;
    callers.set(connectionId, caller);
    return caller;
  }

  /** @returns seconds to wait; 0 for a message that passes. */
  async function refusedFor(caller: string, isChat: boolean): Promise<number> {
    const named = isChat ? [socketMessagesLimit, socketChatsLimit] : [socketMessagesLimit];
    const demands = named.flatMap((each) => {
      const limit = effectiveLimit(each, limits.overrides);
      return limit === null ? [] : [{ limit, subject: caller, tokens: 1 }];
    });
    // A flood ends in this process, before it costs a round trip each.
    const here = tightest(await takeTokens(demands, { ...limits, store: inMemory }));
    if (here !== null && !here.passes) return here.retryAfterSeconds;
    return tightest(await takeTokens(demands, limits))?.retryAfterSeconds ?? 0;
  }

  async function endConnection(connectionId: string, line: SocketLine): Promise<void> {
    await sockets.close(connectionId);
    await line.close(connectionId);
  }

  async function receive({ text, ...received }: ReceivedMessage): Promise<void> {
    const { connectionId, endpoint } = received;
    const count = refusals.get(connectionId) ?? 0;
    if (count > MAX_REFUSALS) return;
    const caller = await callerOf(connectionId);
    if (caller === null) return;
    const line = lineTo(endpoint);
    const isTooLarge = Buffer.byteLength(text) > MAX_MESSAGE_BYTES;
    const read = isTooLarge ? { problem: TOO_LARGE } : readMessage(text);
    const seconds = await refusedFor(caller, 'message' in read && read.message.type === 'chat');
    if (seconds > 0) {
      const refused = (refusals.get(connectionId) ?? 0) + 1;
      refusals.set(connectionId, refused);
      if (refused > MAX_REFUSALS) return refused === MAX_REFUSALS + 1 ? endConnection(connectionId, line) : undefined;
    } else if (count > 0) refusals.set(connectionId, count - 1);
    if (isTooLarge) {
      await line.send(connectionId, errorMessage('message_too_large', TOO_LARGE, undefined));
      return endConnection(connectionId, line);
    }
    const id = 'message' in read ? read.message.id : undefined;
    if (seconds > 0)
      return line.send(
        connectionId,
        errorMessage('rate_limited', `Rate limit exceeded. Retry after ${seconds} seconds.`, id),
      );
    if ('problem' in read) return line.send(connectionId, errorMessage('invalid_request', read.problem, undefined));
    const { message } = read;
    if (message.type === 'ping')
      return line.send(connectionId, { type: 'pong', ...(id !== undefined && { id }), data: null });
    try {
      await startAnswer({ ...received, message });
    } catch (error) {
      await line.send(connectionId, errorMessage('internal_error', NOT_STARTED, id));
      throw error;
    }
  }

  return async (message: ReceivedMessage): Promise<void> => {
    try {
      await receive(message);
    } catch (error) {
      // Its $disconnect says so too.
      if (!(error instanceof SocketGone)) throw error;
    }
  };
}

const TOO_LARGE = `A message has at most ${MAX_MESSAGE_BYTES / 1024} KiB. Send a larger one to POST …/chat/completions.`;
const NOT_STARTED = 'Something went wrong on our side. Send the message again.';

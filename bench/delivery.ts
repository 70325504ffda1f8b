/**
 * `npm run bench delivery`: webhooks and deliveries of the local service against a platform that is played in this process.
 *
 *   --webhooks 1500   webhooks that are posted at 50/s, for the latency of their acceptance
 *   --burst 2000      messages that are there at once, for the sustained rate of deliveries
 *   --outage 10000    messages through an outage of the platform of 60 seconds
 *   --gaps 5          replies that fail six times, for the gaps between their attempts as the platform sees them
 *   --ordered 500     messages in 20 conversations through an outage and a replay, for their order
 *
 * Ends with 1 where a bar is not met.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { startPlatformServer } from '../local/played-platforms/server.ts';
import { startLocalService as startInProcess } from '../local/service.ts';
import { startLocalService } from './local-service.ts';
import { api, newChannel, type PlayedChannel, postWebhook, type Target } from './played-channel.ts';

const BARS = { acceptP50Ms: 25, acceptP99Ms: 150, deliveriesPerSecond: 100, roundTrips: 4 } as const;
const WEBHOOKS_PER_SECOND = 50;
const OUTAGE_MS = 60_000;
const POLL_MS = 250;
const RETRY_SECONDS = [1, 2, 4, 8, 16];
/** A gap between attempts may be so much longer or shorter. */
const MAX_GAP_ERROR = 0.2;
const CONVERSATIONS = 20;

const { values } = parseArgs({
  options: {
    webhooks: { type: 'string', default: '1500' },
    burst: { type: 'string', default: '2000' },
    outage: { type: 'string', default: '10000' },
    gaps: { type: 'string', default: '5' },
    ordered: { type: 'string', default: '500' },
  },
});

/** Counts calls to DynamoDB by what they are for. */
await roundTrips();
const service = await startLocalService();
const platform = await startPlatformServer();
try {
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  if (Number(values.webhooks) > 0) await acceptance(Number(values.webhooks));
  if (Number(values.burst) > 0) await sustained(Number(values.burst));
  if (Number(values.gaps) > 0) await retryGaps(Number(values.gaps));
  if (Number(values.ordered) > 0) await ordered(Number(values.ordered));
  if (Number(values.outage) > 0) await outage(Number(values.outage));
} finally {
  await platform.stop();
  await service.end();
}

/** Measures how long webhooks take to be verified, stored and queued, while their answers are delivered concurrently. */
async function acceptance(count: number): Promise<void> {
  const channel = await newCustomChannel();
  platform.plays('ok');
  await Promise.all(Array.from({ length: 20 }, (_, i) => send(channel, `warm ${i}`)));
  const durations: Promise<number>[] = [];
  for (let n = 0; n < count; n++) {
    durations.push(send(channel, `conversation ${n % 100}`));
    await new Promise((resolve) => setTimeout(resolve, 1000 / WEBHOOKS_PER_SECOND));
  }
  const sorted = (await Promise.all(durations)).sort((a, b) => a - b);
  const percentile = (p: number) => sorted[Math.ceil((p / 100) * sorted.length) - 1]!;
  const [p50, p99] = [percentile(50), percentile(99)];
  print('webhook accepted, p50', `${p50.toFixed(1)} ms`, `<= ${BARS.acceptP50Ms} ms`, p50 <= BARS.acceptP50Ms);
  print('webhook accepted, p99', `${p99.toFixed(1)} ms`, `<= ${BARS.acceptP99Ms} ms`, p99 <= BARS.acceptP99Ms);
  await until(() => platform.delivered.length >= count + 20);
}

/** Replies that wait in the queues, and how fast they are delivered: made by an outage that ends, and one replay. */
async function sustained(count: number): Promise<void> {
  const channel = await newCustomChannel();
  await deadLettersOf(channel, count);
  platform.plays('ok');
  const beganAt = performance.now();
  const replaying = replayAll(channel);
  await until(() => platform.delivered.length >= count);
  await replaying;
  const seconds = (performance.now() - beganAt) / 1000;
  const perSecond = count / seconds;
  const distinct = new Set(platform.delivered.map(({ key }) => key)).size;
  print(
    `${count} deliveries in a row`,
    `${perSecond.toFixed(0)}/s`,
    `>= ${BARS.deliveriesPerSecond}/s`,
    perSecond >= BARS.deliveriesPerSecond,
  );
  print('... lost', String(count - distinct), '0', distinct === count);
}

/** Messages that come in while the platform is down for a minute: each is delivered, or a dead letter that replay delivers. */
async function outage(count: number): Promise<void> {
  const channel = await newCustomChannel();
  platform.plays({ status: 503 });
  const beganAt = performance.now();
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, OUTAGE_MS));
  await posted(channel, count);
  await isOver;
  const before = platform.delivered.length;
  platform.plays('ok');
  await until(async () => (await depthOf()) === 0);
  const delivered = platform.delivered.length + before;
  const dead = await deadLetterCount(channel);
  print(
    `${count} through an outage`,
    `${delivered} delivered, ${dead} dead letters`,
    'all',
    delivered + dead === count,
  );
  await replayAll(channel);
  await until(() => new Set(platform.delivered.map(({ key }) => key)).size >= count);
  const distinct = new Set(platform.delivered.map(({ key }) => key)).size;
  const seconds = (performance.now() - beganAt) / 1000;
  print(
    '... after replay',
    `${distinct} delivered, ${(await deadLetterCount(channel)).toFixed(0)} left`,
    'all',
    distinct === count,
  );
  console.log(`(${seconds.toFixed(0)} s in all)`);
}

/** The gaps between the attempts at replies that always fail, as the platform sees them. */
async function retryGaps(count: number): Promise<void> {
  const gaps: number[][] = [];
  for (let n = 0; n < count; n++) {
    // A separate channel, and so a separate circuit: nothing else is counted.
    const channel = await newCustomChannel();
    platform.plays({ status: 503 });
    await send(channel, `gaps ${n}`);
    await until(() => platform.attempts.length > RETRY_SECONDS.length);
    const times = platform.attempts.map(({ atMs }) => atMs);
    gaps.push(times.slice(1).map((atMs, index) => (atMs - times[index]!) / 1000));
  }
  for (const [index, wanted] of RETRY_SECONDS.entries()) {
    const seen = gaps.map((each) => each[index]!);
    const [least, most] = [Math.min(...seen), Math.max(...seen)];
    const isMet = least >= wanted * (1 - MAX_GAP_ERROR) && most <= wanted * (1 + MAX_GAP_ERROR);
    print(
      `retry ${index + 1}, gap at the platform`,
      `${least.toFixed(2)} to ${most.toFixed(2)} s`,
      `${wanted} s`,
      isMet,
    );
  }
}

/** Messages of several conversations through an outage and a replay: each is delivered, and each conversation in order. */
async function ordered(count: number): Promise<void> {
  const channel = await newCustomChannel();
  platform.plays({ status: 503 });
  for (let n = 0; n < count; n++) await send(channel, `ordered ${n % CONVERSATIONS}`);
  platform.plays('ok');
  await until(async () => (await depthOf()) === 0);
  await replayAll(channel);
  await until(() => new Set(platform.delivered.map(({ key }) => key)).size >= count);
  const byConversation = Map.groupBy(platform.delivered, ({ conversation }) => conversation);
  // Keys of replies are those of their messages, which are in the order of time.
  const inOrder = [...byConversation.values()].filter((replies) => {
    const keys = replies.map(({ key }) => key ?? '');
    return keys.every((key, index) => index === 0 || keys[index - 1]! <= key);
  }).length;
  print(
    `${count} in ${CONVERSATIONS} conversations, replayed`,
    `${inOrder} in order`,
    'all',
    inOrder === CONVERSATIONS,
  );
}

/** The calls to DynamoDB of one message, from the queued reply to its delivery, and of all that comes before. */
async function roundTrips(): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
  const local = await startInProcess({ dataDirectory, host: '127.0.0.1', port: 0, debug: false });
  const played = await startPlatformServer();
  const calls: string[] = [];
  dynamoClient().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { pk, text } = described(args.input as Readonly<Record<string, unknown>>);
        if (/CHANNEL#|BREAKER#/.test(text)) calls.push(`${String(commandName).replace(/Command$/, '')} ${pk}`);
        return next(args);
      },
    { step: 'initialize' },
  );
  try {
    const own = { url: local.url, apiKey: local.credentials.apiKey };
    const channel = await newChannel(own, 'custom', played.baseUrl);
    await send(channel, 'c', own);
    await until(() => played.delivered.length === 1);
    calls.length = 0;
    await send(channel, 'c', own);
    await until(() => played.delivered.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const outbound = calls.filter((call) => call.includes('outbound') || call.includes('breaker'));
    print(
      'round trips a delivered message',
      String(outbound.length),
      `<= ${BARS.roundTrips}`,
      outbound.length <= BARS.roundTrips,
    );
    console.log(`(${outbound.join(', ')}; the first one queues the reply)\n`);
  } finally {
    await played.stop();
    await local.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** The lane that a call addresses. */
function described(input: Readonly<Record<string, unknown>>): { readonly pk: string; readonly text: string } {
  const text = JSON.stringify(input);
  const lane = /CHANNEL#\w+#(outbound)/.exec(text)?.[1] ?? /CHANNEL#\w+#(inbound)/.exec(text)?.[1];
  return { pk: lane ?? (text.includes('BREAKER#') ? 'breaker' : 'channel'), text };
}

function newCustomChannel(): Promise<PlayedChannel> {
  return newChannel(service, 'custom', platform.baseUrl);
}

/** @returns the milliseconds until it was accepted. */
async function send(channel: PlayedChannel, conversation: string, target: Pick<Target, 'url'> = service) {
  const began = performance.now();
  await postWebhook(target, channel, { text: 'Hello', conversation });
  return performance.now() - began;
}

/** Posts this number of messages, each in a new conversation, at most 80 a second: a channel may take a hundred. */
async function posted(channel: PlayedChannel, count: number): Promise<void> {
  for (let n = 0; n < count; n += 20) {
    const pause = new Promise((resolve) => setTimeout(resolve, 250));
    await Promise.all(
      Array.from({ length: Math.min(20, count - n) }, (_, i) => send(channel, `conversation ${n + i}`)),
    );
    await pause;
  }
}

/** Creates dead letters, by a platform that refuses everything. */
async function deadLettersOf(channel: PlayedChannel, count: number): Promise<void> {
  platform.plays({ status: 400 });
  await posted(channel, count);
  await until(async () => (await depthOf()) === 0);
  const dead = await deadLetterCount(channel);
  if (dead !== count) throw new Error(`${dead} dead letters of ${count}`);
}

async function depthOf(): Promise<number> {
  const { platforms } = (await api(service, 'GET', '/api/v1/webhooks/status')) as {
    platforms: { type: string; queue_depth: Record<string, number> }[];
  };
  const depth = platforms.find(({ type }) => type === 'custom')?.queue_depth ?? {};
  return Object.values(depth).reduce((sum, count) => sum + count, 0);
}

async function deadLetterCount({ id }: PlayedChannel): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const query = `limit=100&channel_id=${id}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page = (await api(service, 'GET', `/api/v1/dead-letters?${query}`)) as {
      dead_letters: unknown[];
      next_cursor: string | null;
    };
    count += page.dead_letters.length;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return count;
}

async function replayAll({ id }: PlayedChannel): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const done = (await api(service, 'POST', '/api/v1/dead-letters/replay', { filter: { channel_id: id } })) as {
      has_more: boolean;
    };
    hasMore = done.has_more;
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function print(name: string, value: string, bar: string, isMet: boolean): void {
  console.log(`${name.padEnd(34)} ${value.padEnd(40)} bar ${bar.padEnd(10)} ${isMet ? 'ok' : 'MISSED'}`);
  if (!isMet) process.exitCode = 1;
}

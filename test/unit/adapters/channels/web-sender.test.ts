import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webAttachments } from '../../../../functions/adapters/channels/web-attachments.ts';
import { WebSender } from '../../../../functions/adapters/channels/web-sender.ts';
import { systemClock } from '../../../../functions/adapters/shared/system-ports.ts';
import { FetchRefused } from '../../../../functions/adapters/web/fetch-refused.ts';
import { SafeFetch } from '../../../../functions/adapters/web/safe-fetch.ts';
import { CHANNEL_TYPES, type Channel, type ChannelType } from '../../../../functions/channels/domain/channel.ts';
import { PROBE_LEASE_MS } from '../../../../functions/channels/domain/delivery/breaker.ts';
import { ATTEMPT_RESERVE_MS } from '../../../../functions/channels/domain/delivery/deliver-lane.ts';
import type {
  ChannelAccess,
  PreviousAttempt,
  ReplyPart,
} from '../../../../functions/channels/domain/platforms/platform.ts';
import { platforms } from '../../../../functions/channels/domain/platforms/platforms.ts';
import { statusOutcome } from '../../../../functions/channels/domain/platforms/send-outcome.ts';
import { deliverMessagesWorker } from '../../../../functions/channels/workers.ts';
import { type Behaviour, type PlatformServer, startPlatformServer } from '../../../../local/played-platforms/server.ts';
import { playedPlatforms } from '../../../../local/played-platforms/webhooks.ts';

/** One attempt at each platform, by what it does. */

let platform: PlatformServer;
beforeAll(async () => {
  platform = await startPlatformServer();
});
afterAll(() => platform.stop());

async function send(
  type: ChannelType,
  behaviour: Behaviour,
  { allowLoopback = true, previous = null }: { allowLoopback?: boolean; previous?: PreviousAttempt | null } = {},
) {
  const { secrets, settings } = playedPlatforms[type];
  const access: ChannelAccess = {
    settings: settings(platform.baseUrl),
    secret: (name) => secrets[name] ?? '',
    validSecrets: (name) => (secrets[name] === undefined ? [] : [secrets[name]]),
  };
  const target = { channel: 'c', chat: '1', to: 'u', service_url: platform.baseUrl, conversation: 'c', activity: 'a' };
  const part = {
    ...{ id: 'msg_1-001', texts: ['Hello'], target: { ...target, conversation_id: 'c' }, index: 1, previous },
    ...{ channelId: 'chn', conversationId: 'c' },
  };
  const web = new SafeFetch({ field: 'The address', allowLoopback });
  const tokens = { teams: async () => 'token', forget: () => undefined };
  platform.plays(behaviour);
  const sender = new WebSender({ web, tokens, clock: systemClock, timeoutMs: 500 });
  return sender.send(platforms[type], part, access);
}

describe.each(CHANNEL_TYPES)('%s', (type) => {
  it('that takes a message has it delivered', async () => {
    expect(await send(type, 'ok')).toEqual({ kind: 'delivered' });
    expect(platform.delivered).toMatchObject([{ type, text: 'Hello' }]);
  });

  it('that fails, hangs or breaks off is at fault, and is tried again', async () => {
    const fault = { kind: 'failed', isPassing: true, isPlatformFault: true };
    expect(await send(type, { status: 500 })).toMatchObject(fault);
    expect(await send(type, 'reset')).toMatchObject({ ...fault, code: 'unreachable' });
    expect(await send(type, 'hang')).toMatchObject({ ...fault, code: 'timeout' });
  });

  it('that asks to wait is not at fault', async () => {
    const waits = { kind: 'failed', isPassing: true, isPlatformFault: false, retryAfterMs: 7_000 };
    expect(await send(type, { status: 429, retryAfter: 7 })).toMatchObject(waits);
  });

  it('that refuses the channel’s credentials breaks the channel, and loses no reply', async () => {
    const broken = { kind: 'failed', isChannelBroken: true, isPassing: true, isPlatformFault: false };
    // Teams gets a new token first.
    const previous = { code: 'token_refused', isUnknown: false };
    expect(await send(type, { status: 401, body: {} }, { previous })).toMatchObject(broken);
  });

  it('that redirects is not asked again', async () => {
    const final = { kind: 'failed', isPassing: false, isPlatformFault: false };
    expect(await send(type, { status: 307, location: 'http://169.254.169.254/' })).toMatchObject(final);
  });

  it('a private address is never asked', async () => {
    const refused = await send(type, 'ok', { allowLoopback: false });
    expect(refused).toMatchObject({ kind: 'failed', isPassing: false, isPlatformFault: false });
    expect(platform.attempts).toEqual([]);
  });
});

it.each([
  ['slack', 30_000],
  ['telegram', 30_000],
  ['teams', 30_000],
  ['whatsapp', 30_000],
  ['line', 10_000],
  ['discord', 10_000],
  ['custom', 10_000],
] as const)(
  '%s is given %i ms to answer: longer where a part is shown as often as it is sent',
  async (type, wantedMs) => {
    const { secrets, settings } = playedPlatforms[type];
    const waited: (number | undefined)[] = [];
    const web = {
      async fetch(_: string, { timeoutMs }: { timeoutMs?: number }) {
        waited.push(timeoutMs);
        throw new FetchRefused('timeout', 'The platform did not answer.');
      },
    } as unknown as SafeFetch;
    const tokens = { teams: async () => 'token', forget: () => undefined };
    const sender = new WebSender({ web, tokens, clock: systemClock });
    const access = {
      settings: settings(platform.baseUrl),
      secret: (name: string) => secrets[name] ?? '',
      validSecrets: (name: string) => [secrets[name] ?? ''],
    };
    const part = {
      ...{ id: 'msg_1-001', texts: ['Hello'], target: { channel: 'c', chat: '1', to: 'u' }, index: 1, previous: null },
      ...{ channelId: 'chn', conversationId: 'c' },
    };
    await sender.send(platforms[type], part, access);
    expect(waited).toEqual([wantedMs]);
    expect(wantedMs).toBeLessThan(Math.min(PROBE_LEASE_MS, ATTEMPT_RESERVE_MS));
    expect(ATTEMPT_RESERVE_MS).toBeLessThan(deliverMessagesWorker.limits.timeoutSeconds * 1_000);
  },
);

it('waits until a date that the platform names, by the clock of its answer', () => {
  const headers = { date: 'Sun, 29 Nov 2026 11:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2026 11:00:42 GMT' };
  expect(statusOutcome({ status: 503, headers })).toMatchObject({ retryAfterMs: 42_000 });
  expect(statusOutcome({ status: 503, headers: { ...headers, date: undefined } })).toMatchObject({
    retryAfterMs: null,
  });
});

it.each(['audio/ogg', 'audio/m4a'])(
  'says in words that a voice message of type %s cannot be listened to',
  async (mimeType) => {
    const web = {
      fetch: async () => ({
        status: 200,
        headers: { 'content-type': mimeType },
        body: Readable.from([Buffer.from('x')]),
        close() {},
      }),
    } as unknown as SafeFetch;
    const tokens = { teams: async () => 'token', forget: () => undefined };
    const attachments = webAttachments({ web, tokens, transcribe: async () => null, onUnread: () => undefined });
    const voice = { kind: 'audio', name: null, mimeType, source: { kind: 'public', url: 'https://e.com/v' } } as const;
    const access = { settings: {}, secret: () => '', validSecrets: () => [] };
    const part = await attachments.read(voice, { type: 'custom', channelId: 'chn' } as Channel, access);
    expect(part).toEqual({ type: 'text', text: expect.stringContaining('voice message') });
  },
);

it('says how long to wait in the bodies of Discord and Telegram, and in codes of Slack and Meta', async () => {
  expect(await send('discord', { status: 429, body: { retry_after: 1.337 } })).toMatchObject({ retryAfterMs: 1_337 });
  const telegram = { status: 429, body: { ok: false, parameters: { retry_after: 14 } } };
  expect(await send('telegram', telegram)).toMatchObject({ retryAfterMs: 14_000 });
  const slack = { status: 200, retryAfter: 3, body: { ok: false, error: 'ratelimited' } };
  expect(await send('slack', slack)).toMatchObject({ isPassing: true, isPlatformFault: false, retryAfterMs: 3_000 });
  const limited = { status: 400, body: { error: { code: 131_056 } } };
  expect(await send('whatsapp', limited)).toMatchObject({ isPassing: true, isPlatformFault: false });
  expect(await send('slack', 'not ok')).toMatchObject({ code: 'internal_error', isPlatformFault: true });
});

it.each([
  [
    'slack',
    { status: 200, body: { ok: false, error: 'missing_scope', needed: 'chat:write' } },
    'missing_scope',
    /chat:write/,
  ],
  [
    'whatsapp',
    { status: 400, body: { error: { code: 131_042, message: 'Business eligibility payment issue' } } },
    'meta_131042',
    /payment/,
  ],
  [
    'whatsapp',
    { status: 403, body: { error: { code: 131_031, message: 'Account has been locked' } } },
    'meta_131031',
    /locked/,
  ],
  ['line', { status: 429, body: { message: 'You have reached your monthly limit.' } }, 'monthly_limit', /monthly/],
] as const)(
  '%s: a fault of the account breaks the channel, in the platform’s words',
  async (type, answer, code, words) => {
    const detail = expect.stringMatching(words);
    expect(await send(type, answer)).toMatchObject({ isChannelBroken: true, isPlatformFault: false, code, detail });
  },
);

it('WhatsApp: a fault of the account that is reported later breaks the channel, one of a recipient does not', () => {
  const status = (code: number) => ({
    status: 'failed',
    biz_opaque_callback_data: 'p',
    errors: [{ code, title: 'x' }],
  });
  const value = { metadata: { phone_number_id: '1' }, statuses: [status(131_042), status(131_026)] };
  const body = Buffer.from(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] }));
  const access = { settings: { phone_number_id: '1' }, secret: () => '', validSecrets: () => [] };
  const { failures } = platforms.whatsapp.read({ headers: {}, query: {}, body, nowMs: 0 }, access);
  expect(failures.map(({ isChannelBroken }) => isChannelBroken)).toEqual([true, false]);
});

it('LINE: what it accepted before is delivered, and an expired reply token is tried once more by push', async () => {
  const part = { previous: null } as ReplyPart;
  const known = { status: 409, headers: { 'x-line-accepted-request-id': '1' }, text: '{}' };
  expect(platforms.line.outcomeOf(known, part)).toEqual({ kind: 'delivered' });
  const used = { status: 400, headers: {}, text: '{"message":"Invalid reply token"}' };
  expect(platforms.line.outcomeOf(used, part)).toMatchObject({ isPassing: true, isPlatformFault: false });
  const afterUnknown = { previous: { code: 'timeout', isUnknown: true } } as ReplyPart;
  expect(platforms.line.outcomeOf(used, afterUnknown)).toEqual({ kind: 'delivered' });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ChannelType } from '../../../functions/channels/domain/channel.ts';
import { channel as channelSchema } from '../../../functions/channels/schemas.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { WHATSAPP_NUMBER } from '../../../local/played-platforms/webhooks.ts';
import { call } from '../../helpers/api.ts';
import { echoes, type Payload, postPayload, questions } from '../../helpers/channel-payloads.ts';
import {
  CHANNELS_PATH,
  createChannel,
  deadLetters,
  eventually,
  replay,
  type ShownChannel,
  sendMessage,
  status,
} from '../../helpers/channels.ts';
import { applicationOn, dataOf } from '../../helpers/chat.ts';
import { sentMails } from '../../helpers/mime.ts';
import { fails, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';

/** Delivery of replies, and treatment of failures. */

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
let application: { readonly id: string };
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
  application = await applicationOn(service, provider.baseUrl);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));
beforeEach(() => {
  provider.plays(echoes);
  platform.plays('ok');
});

const newChannel = (type: ChannelType, body: object = {}) =>
  createChannel(service, type, platform.baseUrl, { application_id: application.id, ...body });
const post = (channel: ShownChannel, payload: Payload) => postPayload(service, channel, payload, platform.baseUrl);
const say = (channel: ShownChannel, text: string, conversation = 'c') =>
  sendMessage(service, channel, { text, conversation }, platform.baseUrl);
const lettersOf = ({ id }: ShownChannel) => deadLetters(service, `?channel_id=${id}`);
const someLetters = (channel: ShownChannel, count = 1) =>
  eventually(async () => {
    const letters = await lettersOf(channel);
    return letters.length >= count && letters;
  });
const shown = async ({ id }: ShownChannel) =>
  dataOf(await call(service, 'GET', `${CHANNELS_PATH}/${id}`), channelSchema.strict());
const long = (paragraphs: number, length: number) =>
  Array.from({ length: paragraphs }, (_, i) => `${i} ${'word '.repeat(length / 5)}`.trim()).join('\n\n');

describe('Slack', () => {
  const command = (responseUrl: string) =>
    new URLSearchParams({
      ...{ token: 'gIkuvaNzQIHg97ATvDxqgjtO', team_id: 'T0001', team_domain: 'example', channel_name: 'test' },
      ...{ channel_id: 'C2147483705', user_id: 'U2147483697', user_name: 'Steve', command: '/weather', text: '94070' },
      ...{ response_url: responseUrl, trigger_id: `13345224609.738474920.${Math.random()}`, api_app_id: 'A123456' },
    });

  it('gets the answer to a command at the command’s own address, where the bot need not be a member', async () => {
    const channel = await newChannel('slack');
    await post(channel, command(`${platform.baseUrl}/commands/1234/5678`));
    const reply = await eventually(() => platform.delivered[0]);
    expect([reply.path, reply.body]).toEqual([
      '/commands/1234/5678',
      { text: 're: 94070', response_type: 'in_channel', replace_original: false },
    ]);
    expect(reply.headers.authorization).toBeUndefined();
  });

  it('gets it as the bot’s message once that address has ended, and from the sixth message on', async () => {
    const channel = await newChannel('slack');
    platform.plays({ status: 404, body: { ok: false, error: 'used_url' } }, 'ok');
    await post(channel, command(`${platform.baseUrl}/commands/1`));
    await eventually(() => platform.delivered[0]);
    expect(platform.attempts.map(({ path }) => path)).toEqual(['/commands/1', '/chat.postMessage']);
    provider.plays(says(long(7, 3_500)));
    platform.plays('ok');
    await post(channel, command(`${platform.baseUrl}/commands/2`));
    await eventually(() => platform.delivered.length === 7);
    expect(platform.delivered.map(({ path }) => path)).toEqual([
      ...Array.from({ length: 5 }, () => '/commands/2'),
      '/chat.postMessage',
      '/chat.postMessage',
    ]);
  });

  it('gets the answer to a button at the button’s own address', async () => {
    const channel = await newChannel('slack');
    const payload = {
      type: 'block_actions',
      user: { id: 'U123', username: 'mrs', name: 'mrs', team_id: 'T1' },
      trigger_id: '12321423423.333649436676.d8c1bb837935619ccad0f624c448ffb3',
      channel: { id: 'CBR2V3XEX', name: 'review-updates' },
      message: { type: 'message', ts: '1548261231.000200', text: 'Choose' },
      response_url: `${platform.baseUrl}/actions/T1/2/3`,
      actions: [
        { action_id: 'WaXA', block_id: '=qXel', type: 'button', value: 'Approve it', action_ts: '1548426417.8' },
      ],
    };
    await post(channel, new URLSearchParams({ payload: JSON.stringify(payload) }));
    expect(await eventually(() => platform.delivered[0])).toMatchObject({
      path: '/actions/T1/2/3',
      text: 're: Approve it',
    });
  });
});

describe('LINE', () => {
  it('gets five parts as one reply of five messages, and no paid push', async () => {
    const channel = await newChannel('line');
    provider.plays(says(long(5, 4_000)));
    await say(channel, 'Tell me everything');
    const reply = await eventually(() => platform.delivered[0]);
    expect(reply.path).toBe('/v2/bot/message/reply');
    expect(reply.body.messages).toHaveLength(5);
    expect(platform.attempts).toHaveLength(1);
  });

  it('gets a reply whose outcome is not known by the same token again, which LINE takes once', async () => {
    const channel = await newChannel('line');
    platform.plays('reset', { status: 400, body: { message: 'Invalid reply token' } }, 'ok');
    await say(channel, 'x', 'U1');
    await eventually(() => platform.attempts.length === 2);
    await say(channel, 'y', 'U1');
    await eventually(() => platform.delivered.length === 1);
    const tokens = platform.attempts.map(({ path, body }) => [path, body.replyToken]);
    expect(tokens[1]).toEqual(tokens[0]);
    expect(platform.attempts.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/v2/bot/message/reply'));
    expect(await lettersOf(channel)).toEqual([]);
  });
});

describe('Discord', () => {
  const interaction = (type: number, data: object) => ({
    ...{ id: String(Math.random()), application_id: '1', type, token: 'A_UNIQUE_TOKEN', version: 1, locale: 'ko' },
    channel_id: '645027906669510667',
    member: { user: { id: '53908232506183680', username: 'Mason' } },
    data,
  });

  it('shows no "thinking…" for what cannot be answered: it says so at once', async () => {
    const channel = await newChannel('discord');
    for (const components of [
      [],
      [{ type: 1, components: [{ type: 4, custom_id: 'q', value: '' }] }],
      [{ type: 18, component: { type: 4, custom_id: 'q', value: '' } }],
    ]) {
      const answer = await post(channel, interaction(5, { custom_id: 'form', components }));
      expect(await answer.json()).toEqual({ type: 4, data: { content: expect.stringMatching(/^답변할/), flags: 64 } });
    }
  });

  it('is asked with the inputs of a form, those in labels among them', async () => {
    const channel = await newChannel('discord');
    const components = [
      { type: 18, id: 1, component: { type: 4, id: 2, custom_id: 'topic', value: 'Opening hours' } },
      { type: 18, id: 3, component: { type: 3, id: 4, custom_id: 'day', values: ['sunday'] } },
      { type: 1, components: [{ type: 4, custom_id: 'more', value: 'In winter' }] },
    ];
    const answer = await post(channel, interaction(5, { custom_id: 'form', components }));
    expect(await answer.json()).toEqual({ type: 5 });
    await eventually(() => platform.delivered[0]);
    expect(questions(provider)).toEqual(['Opening hours\nsunday\nIn winter']);
  });
});

describe('an answer', () => {
  it.each(['slack', 'discord', 'telegram', 'line', 'teams', 'whatsapp', 'custom'] as const)(
    'on %s that is empty becomes a notice, not silence',
    async (type) => {
      const channel = await newChannel(type);
      provider.plays(says(''));
      await say(channel, '이건 뭐예요?');
      expect((await eventually(() => platform.delivered[0])).text).toMatch(/^이 메시지에는 드릴 답변이 없습니다/);
    },
  );

  it('that fails is excused in the channel’s own words', async () => {
    const channel = await newChannel('custom', {
      settings: { url: `${platform.baseUrl}/hook`, failure_notice: '상담원에게 연결해 드릴게요.' },
    });
    provider.plays(fails(400));
    await say(channel, 'x');
    expect((await eventually(() => platform.delivered[0])).text).toBe('상담원에게 연결해 드릴게요.');
  });
});

it('an empty answer is excused in the channel’s own words', async () => {
  const channel = await newChannel('custom', {
    settings: { url: `${platform.baseUrl}/hook`, empty_notice: 'Ask me about our shop.' },
  });
  provider.plays(says(''));
  await say(channel, 'x');
  expect((await eventually(() => platform.delivered[0])).text).toBe('Ask me about our shop.');
});

describe('a reply that', () => {
  it('WhatsApp accepts and then reports as failed becomes a dead letter, once', async () => {
    const channel = await newChannel('whatsapp');
    await say(channel, 'x', '16505551234');
    const { body } = await eventually(() => platform.delivered[0]);
    const failed = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '15550783881', phone_number_id: WHATSAPP_NUMBER },
                statuses: [
                  {
                    ...{ id: 'wamid.1', status: 'failed', timestamp: '1689', recipient_id: '16505551234' },
                    biz_opaque_callback_data: body.biz_opaque_callback_data,
                    errors: [
                      {
                        ...{ code: 131_047, title: 'Re-engagement message', message: 'Re-engagement message' },
                        error_data: { details: 'More than 24 hours have passed since the recipient last replied.' },
                      },
                    ],
                  },
                ],
              },
            },
          ],
        },
      ],
    };
    for (let i = 0; i < 2; i++) expect((await post(channel, failed)).status).toBe(200);
    expect(await lettersOf(channel)).toMatchObject([
      {
        ...{ reason: 'meta_131047', direction: 'outbound', text: 're: x', attempts: 1 },
        detail: 'More than 24 hours have passed since the recipient last replied.',
      },
    ]);
    expect(await replay(service, { filter: { channel_id: channel.id } })).toMatchObject({ replayed: 1 });
    await eventually(() => platform.delivered.length === 2);
  });

  it('a platform refuses names its words in the dead letter', async () => {
    const channel = await newChannel('telegram');
    platform.plays({
      status: 403,
      body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' },
    });
    await say(channel, 'x');
    expect(await someLetters(channel)).toMatchObject([
      { reason: 'bot_was_blocked_by_the_user', detail: 'Forbidden: bot was blocked by the user', attempts: 1 },
    ]);
  });

  it('is refused in the middle takes the rest of it along: nothing is shown with a hole in it', async () => {
    const channel = await newChannel('telegram');
    provider.plays(says(long(3, 3_500)));
    platform.plays('ok', { status: 400, body: { ok: false, description: 'Bad Request: message is too long' } }, 'ok');
    await say(channel, 'x');
    const letters = await someLetters(channel, 2);
    expect(letters.map(({ reason, attempts }) => [reason, attempts]).toSorted()).toEqual([
      ['message_is_too_long', 1],
      ['part_before_refused', 0],
    ]);
    expect(platform.attempts).toHaveLength(2);
  });

  it.each([412, 502, 504])('Teams answers with %i is repeated', async (code) => {
    const channel = await newChannel('teams');
    platform.plays({ status: code, body: { error: { code: 'x', message: 'Precondition' } } }, 'ok');
    await say(channel, 'x');
    await eventually(() => platform.delivered[0]);
    expect(platform.attempts).toHaveLength(2);
  });
});

describe('a channel whose credentials are refused', () => {
  const refusals = {
    slack: { status: 200, body: { ok: false, error: 'token_revoked' } },
    telegram: { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } },
    whatsapp: { status: 401, body: { error: { code: 190, message: 'Error validating access token' } } },
    line: { status: 401, body: { message: 'Authentication failed' } },
    custom: { status: 401 },
  } as const;

  it.each([
    ['slack', 'token_revoked'],
    ['telegram', 'http_401'],
    ['whatsapp', 'meta_190'],
    ['line', 'http_401'],
    ['custom', 'http_401'],
  ] as const)('on %s is shown as broken, keeps its replies, and delivers them with others', async (type, code) => {
    const channel = await newChannel(type);
    platform.plays(refusals[type]);
    await say(channel, 'first', 'c1');
    const { problem } = await eventually(async () => {
      const current = await shown(channel);
      return current.problem && current;
    });
    expect(problem).toMatchObject({ code });
    expect((await status(service, type)).broken_channels).toMatchObject([
      { channel_id: channel.id, problem: { code } },
    ]);
    await say(channel, 'second', 'c2');
    await eventually(async () => (await status(service, type)).queue_depth.inbound === 1);
    expect(await lettersOf(channel)).toEqual([]);
    platform.plays('ok');
    const { json } = await call(service, 'PATCH', `${CHANNELS_PATH}/${channel.id}`, { body: { status: 'active' } });
    expect(z.object({ data: channelSchema }).parse(json).data.problem).toBeNull();
    await eventually(() => platform.delivered.length === 2);
    expect(platform.delivered.map(({ text }) => text).toSorted()).toEqual(['re: first', 're: second']);
  });

  it('the owner gets one e-mail about a broken channel, until it works again', async () => {
    const channel = await newChannel('telegram', { name: 'Shop' });
    const mails = async () => (await sentMails(service.dataDir)).filter(({ text }) => text.includes(channel.id));
    const refusal = { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } };
    const restore = { body: { status: 'active' } };
    platform.plays(refusal);
    await say(channel, 'first', 'c1');
    await eventually(async () => (await mails()).length === 1);
    // The same break, found once more.
    await call(service, 'PATCH', `${CHANNELS_PATH}/${channel.id}`, { body: { name: 'Our shop' } });
    await say(channel, 'second', 'c2');
    platform.plays('ok');
    await call(service, 'PATCH', `${CHANNELS_PATH}/${channel.id}`, restore);
    await eventually(() => platform.delivered.length === 2);
    platform.plays(refusal);
    await say(channel, 'third', 'c1');
    await eventually(async () => (await mails()).length === 2);
    const { headers, text } = (await mails())[0]!;
    expect(headers.to).toBe(`${service.workspaceId.toLowerCase()}@example.com`);
    expect(headers.subject).toBe('[Tripod] Another: 채널 "Shop" 중단 / channel stopped');
    expect(text).toContain(`PATCH /api/v1/channels/${channel.id}`);
    expect(text).toContain('(http_401)');
    platform.plays('ok');
    await call(service, 'PATCH', `${CHANNELS_PATH}/${channel.id}`, restore);
    await eventually(() => platform.delivered.length === 1);
  });

  it('on Teams is one whose new token is refused as well', async () => {
    const channel = await newChannel('teams');
    platform.plays({ status: 401, body: {} }, 'ok');
    await say(channel, 'x');
    await eventually(() => platform.delivered[0]);
    platform.plays({ status: 401, body: {} });
    await say(channel, 'y');
    await eventually(async () => (await shown(channel)).problem?.code === 'http_401');
    expect(platform.attempts).toHaveLength(2);
  });
});

it('a bulk replay of more than a page of messages of one conversation keeps their order', async () => {
  const channel = await newChannel('custom');
  const count = 120;
  platform.plays({ status: 400 });
  for (let n = 0; n < count; n++) await say(channel, String(n), 'one');
  await eventually(async () => Object.values((await status(service, 'custom')).queue_depth).every((n) => n === 0));
  platform.plays('ok');
  expect(await replay(service, { filter: { channel_id: channel.id } })).toMatchObject({ replayed: count, skipped: 0 });
  await eventually(() => platform.delivered.length === count);
  expect(platform.delivered.map(({ text }) => text)).toEqual(Array.from({ length: count }, (_, n) => `re: ${n}`));
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelType } from '../../../functions/channels/domain/channel.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { SLACK_BOT_ID, WHATSAPP_NUMBER } from '../../../local/played-platforms/webhooks.ts';
import { echoes, type Payload, postPayload, questions, saidIn } from '../../helpers/channel-payloads.ts';
import { createChannel, eventually, type ShownChannel } from '../../helpers/channels.ts';
import { applicationOn } from '../../helpers/chat.ts';
import { type ScriptedProvider, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';

/** Selection of the messages to answer, their place, and their history. */

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

const newChannel = (type: ChannelType, settings: Readonly<Record<string, string>> = {}) =>
  createChannel(service, type, platform.baseUrl, {
    application_id: application.id,
    ...(Object.keys(settings).length > 0 && { settings: { ...settingsOf(type), ...settings } }),
  });

function settingsOf(type: ChannelType): Readonly<Record<string, string>> {
  const base = { api_base_url: platform.baseUrl };
  return type === 'whatsapp' ? { ...base, phone_number_id: WHATSAPP_NUMBER } : base;
}

/** Posts payloads one after another, and waits for this number of replies. */
async function tell(channel: ShownChannel, payloads: readonly Payload[], replies: number) {
  const before = platform.delivered.length;
  for (const payload of payloads)
    expect((await postPayload(service, channel, payload, platform.baseUrl)).status).toBe(200);
  await eventually(() => platform.delivered.length >= before + replies);
}

/** A message of WhatsApp by what identifies its sender. */
let whatsappMessages = 0;
function whatsapp(text: string, { number = '', user = '', group = '' }, more: object = {}) {
  const contact = {
    profile: { name: 'Sheena Nelson', ...(user && { username: 'realsheenanelson' }) },
    ...(number && { wa_id: number }),
    ...(user && { user_id: user }),
  };
  const message = {
    ...(number && { from: number }),
    ...(user && { from_user_id: user }),
    ...(group && { group_id: group }),
    ...{ id: `wamid.HBgL${++whatsappMessages}`, timestamp: '1749416383', type: 'text', text: { body: text }, ...more },
  };
  const metadata = { display_phone_number: '15550783881', phone_number_id: WHATSAPP_NUMBER };
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact], messages: [message] };
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ field: 'messages', value }] }],
  };
}

describe('WhatsApp', () => {
  const user = 'US.13491208655302741918';

  it('answers someone who has a username and no number, by the id that Meta gives them', async () => {
    const channel = await newChannel('whatsapp');
    await tell(channel, [whatsapp('Who am I?', { user })], 1);
    expect(platform.delivered[0]!.body).toMatchObject({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      recipient: user,
      text: { body: 're: Who am I?' },
    });
    expect(platform.delivered[0]!.body).not.toHaveProperty('to');
  });

  it('keeps one conversation while a person has a number, both ids, and at last no number', async () => {
    const channel = await newChannel('whatsapp');
    await tell(channel, [whatsapp('one', { number: '16505551234' })], 1);
    await tell(channel, [whatsapp('two', { number: '16505551234', user })], 1);
    await tell(channel, [whatsapp('three', { user })], 1);
    expect(saidIn(provider.requests.at(-1)!)).toEqual(['one', 're: one', 'two', 're: two', 'three']);
    expect(platform.delivered.map(({ body }) => body.to ?? body.recipient)).toEqual([
      '16505551234',
      '16505551234',
      user,
    ]);
  });

  it('keeps one conversation of a person whose number appears later', async () => {
    const channel = await newChannel('whatsapp');
    await tell(channel, [whatsapp('one', { user })], 1);
    await tell(channel, [whatsapp('two', { number: '16505551234', user })], 1);
    expect(saidIn(provider.requests.at(-1)!)).toEqual(['one', 're: one', 'two']);
  });

  it('does not show a person’s history to the next owner of their number', async () => {
    const channel = await newChannel('whatsapp');
    await tell(channel, [whatsapp('secret', { number: '16505551234', user })], 1);
    await tell(channel, [whatsapp('hello', { number: '16505551234', user: 'US.999' })], 1);
    expect(saidIn(provider.requests.at(-1)!)).toEqual(['hello']);
  });

  it('answers a group in the group, with a history that is not the sender’s own', async () => {
    const channel = await newChannel('whatsapp');
    await tell(channel, [whatsapp('private', { number: '16505551234' })], 1);
    await tell(channel, [whatsapp('What time?', { number: '16505551234', group: 'Y2FwaV9ncm91cDo' })], 1);
    expect(saidIn(provider.requests.at(-1)!)).toEqual(['What time?']);
    expect(platform.delivered.at(-1)!.body).toMatchObject({ recipient_type: 'group', to: 'Y2FwaV9ncm91cDo' });
  });

  it('answers messages to a second number of the app by the channel of that number', async () => {
    const [first, second] = [
      await newChannel('whatsapp', { phone_number_id: '201' }),
      await newChannel('whatsapp', { phone_number_id: '202' }),
    ];
    const to = (number: string, text: string) => {
      const { entry, ...payload } = whatsapp(text, { number: '16505551234' });
      return { ...payload, entry: JSON.parse(JSON.stringify(entry).replace(WHATSAPP_NUMBER, number)) };
    };
    const both = { ...to('201', ''), entry: [...to('201', 'to one').entry, ...to('202', 'to two').entry] };
    await tell(first, [to('202', 'second'), both, to('203', 'to none')], 3);
    expect(platform.delivered.map(({ path, text }) => `${path} ${text}`).toSorted()).toEqual([
      '/201/messages re: to one',
      '/202/messages re: second',
      '/202/messages re: to two',
    ]);
    // Its own address stays its own.
    await tell(second, [to('202', 'directly')], 1);
    expect(platform.delivered.at(-1)).toMatchObject({ path: '/202/messages', text: 're: directly' });
  });

  it('answers no message to a number whose channel has another app secret', async () => {
    const first = await newChannel('whatsapp', { phone_number_id: '301' });
    await createChannel(service, 'whatsapp', platform.baseUrl, {
      application_id: application.id,
      settings: { api_base_url: platform.baseUrl, phone_number_id: '302' },
      secrets: { app_secret: 'of-another-app', verify_token: 'verify', access_token: 'token' },
    });
    const payload = whatsapp('forged', { number: '16505551234' });
    const other = JSON.parse(JSON.stringify(payload).replace(WHATSAPP_NUMBER, '302')) as Payload;
    const own = JSON.parse(
      JSON.stringify(whatsapp('true', { number: '16505551234' })).replace(WHATSAPP_NUMBER, '301'),
    ) as Payload;
    await tell(first, [other, own], 1);
    expect(questions(provider)).toEqual(['true']);
  });
});

describe('Slack', () => {
  const event = (type: string, text: string, ts: string, more: object = {}) => ({
    token: 'ZZZZZZWSxiZZZ2yIvs3peJ',
    team_id: 'T061EG9R6',
    api_app_id: 'A0MDYCDME',
    type: 'event_callback',
    event_id: `Ev${type}${ts}`,
    event_time: 1_515_449_522,
    authorizations: [{ enterprise_id: null, team_id: 'T061EG9R6', user_id: SLACK_BOT_ID, is_bot: true }],
    event: { type, user: 'U061F7AUR', text, ts, channel: 'C0LAN2Q65', event_ts: ts, ...more },
  });

  it('answers a mention once, in its thread, though it is reported as a mention and as a message', async () => {
    const channel = await newChannel('slack');
    const text = `<@${SLACK_BOT_ID}> is it everything a river should be?`;
    const pair = (ts: string) => [
      event('message', text, ts, { channel_type: 'channel' }),
      event('app_mention', text, ts),
    ];
    await tell(channel, pair('1515449522.000016'), 1);
    await tell(channel, pair('1515449523.000016').toReversed(), 1);
    const last = event('app_mention', `<@${SLACK_BOT_ID}> thanks`, '1515449524.000016', {
      thread_ts: '1515449522.000016',
    });
    await tell(channel, [last], 1);
    expect(questions(provider)).toEqual([
      'is it everything a river should be?',
      'is it everything a river should be?',
      'thanks',
    ]);
    expect(platform.delivered.map(({ body }) => [body.channel, body.thread_ts])).toEqual([
      ['C0LAN2Q65', '1515449522.000016'],
      ['C0LAN2Q65', '1515449523.000016'],
      ['C0LAN2Q65', '1515449522.000016'],
    ]);
    expect(saidIn(provider.requests.at(-1)!)).toHaveLength(3);
  });

  it('answers on in a thread that it was addressed in, but not what asks someone else', async () => {
    const channel = await newChannel('slack');
    const said = (text: string, ts: string, thread?: string) =>
      event('message', text, ts, {
        channel_type: 'channel',
        ...(thread && { thread_ts: thread, parent_user_id: 'U2' }),
      });
    await tell(
      channel,
      [
        said('before', '7.1', '7.0'),
        said(`<@${SLACK_BOT_ID}> first`, '7.2', '7.0'),
        said('second', '7.3', '7.0'),
        said('<@U2> your opinion?', '7.4', '7.0'),
        said('elsewhere', '7.5', '6.0'),
        said('no thread', '7.6'),
        said('third', '7.7', '7.0'),
      ],
      3,
    );
    expect(questions(provider)).toEqual(['first', 'second', 'third']);
    expect(platform.delivered.map(({ body }) => body.thread_ts)).toEqual(['7.0', '7.0', '7.0']);
  });

  it.each([
    ['addressed', ['mentioned', 'direct']],
    ['all', ['overheard', 'mentioned', 'direct']],
    ['never', ['direct']],
  ] as const)('that answers in groups %s answers no more than that', async (answer_in_groups, expected) => {
    const channel = await newChannel('slack', { answer_in_groups });
    await tell(
      channel,
      [
        event('message', 'overheard', '1.1', { channel_type: 'channel' }),
        event('app_mention', `<@${SLACK_BOT_ID}> mentioned`, '1.2'),
        event('message', 'direct', '1.3', { channel_type: 'im', channel: 'D024BE91L' }),
      ],
      expected.length,
    );
    expect(questions(provider).toSorted()).toEqual([...expected].sort());
  });
});

describe('Teams', () => {
  const activity = (conversation: string, text: string) => ({
    type: 'message',
    id: '1',
    timestamp: '2026-11-27T09:00:00.000Z',
    serviceUrl: platform.baseUrl,
    channelId: 'msteams',
    from: { id: '29:1XJKJMvc5GBtc2JwZq0oj8tHZmzrQgFmB25ATiQWA85gQtHieVkKilBZ9XHoq9j7Zaqt7CZ', name: 'Larry Jin' },
    conversation: { conversationType: 'personal', id: conversation, tenantId: 'tid' },
    recipient: { id: '28:c9e8c047-2a74-40a2-b28a-b162d5f5327c', name: 'Bot' },
    locale: 'en-US',
    text,
  });

  it('answers two messages of the same id in two conversations', async () => {
    const channel = await newChannel('teams', {
      app_id: '00000000-0000-4000-8000-000000000042',
      tenant_id: 'botframework.com',
    });
    await tell(channel, [activity('a:1', 'first'), activity('a:2', 'second'), activity('a:1', 'first')], 2);
    expect(questions(provider).toSorted()).toEqual(['first', 'second']);
    expect(platform.delivered.map(({ conversation }) => conversation).toSorted()).toEqual(['a:1', 'a:2']);
  });
});

describe('LINE', () => {
  const picture = (id: string, index: number, total = 3) => ({
    destination: 'xxxxxxxxxx',
    events: [
      {
        ...{ type: 'message', mode: 'active', timestamp: 1_462_629_479_859, webhookEventId: `E${id}` },
        ...{ source: { type: 'user', userId: 'U4af4980629' }, replyToken: `token-${id}` },
        ...{ deliveryContext: { isRedelivery: false } },
        message: {
          ...{ type: 'image', id, contentProvider: { type: 'line' } },
          imageSet: { id: `set-${total}`, index, total },
        },
      },
    ],
  });

  it('answers pictures that were sent together as one question, once the last is there', async () => {
    const channel = await newChannel('line');
    await tell(channel, [picture('a1', 1), picture('a2', 2), picture('a3', 3)], 1);
    expect(questions(provider)).toEqual(['<image_url>\n<image_url>\n<image_url>']);
  });

  it('answers an album although one of its pictures never came', async () => {
    const channel = await newChannel('line');
    await tell(channel, [picture('b1', 1, 4), picture('b3', 3, 4)], 1);
    expect(questions(provider)).toEqual(['<image_url>\n<image_url>']);
  });
});

describe('Telegram', () => {
  let updates = 100;
  const message = (chat: object, text: string, more: object = {}) => ({
    update_id: ++updates,
    message: {
      message_id: updates,
      date: 1_749_416_383,
      chat,
      from: { id: 1111, is_bot: false, first_name: 'Test', language_code: 'ko' },
      text,
      ...more,
    },
  });
  const group = { id: -4001, title: 'A group', type: 'group' };

  it('answers mentions, replies to the bot and commands in a group, without the mention', async () => {
    const channel = await newChannel('telegram', { bot_username: '@tripod_bot' });
    const entity = (type: string, offset: number, length: number) => ({ entities: [{ type, offset, length }] });
    const bot = { id: 123456, is_bot: true, first_name: 'Tripod', username: 'tripod_bot' };
    await tell(
      channel,
      [
        message(group, 'overheard'),
        message(group, '@someone hello', entity('mention', 0, 8)),
        message(group, '@other_bot hello', entity('mention', 0, 10)),
        message(group, '@tripod_bot what is it?', entity('mention', 0, 11)),
        message(group, 'and this?', { reply_to_message: { message_id: 1, from: bot, chat: group } }),
        message(group, '/ask@tripod_bot me', entity('bot_command', 0, 15)),
        message(group, '/ask@other_bot me', entity('bot_command', 0, 14)),
        message({ id: 1111, type: 'private' }, 'direct'),
      ],
      4,
    );
    expect(questions(provider).toSorted()).toEqual(['/ask me', 'and this?', 'direct', 'what is it?']);
  });

  it('takes the history of a group along into the supergroup that it becomes, and follows it with a reply', async () => {
    const channel = await newChannel('telegram');
    const command = { entities: [{ type: 'bot_command', offset: 0, length: 4 }] };
    await tell(channel, [message(group, '/ask one', command)], 1);
    await tell(channel, [message(group, '', { migrate_to_chat_id: -1_001_234, text: undefined })], 0);
    const supergroup = { id: -1_001_234, title: 'A group', type: 'supergroup' };
    await tell(channel, [message(supergroup, '/ask two', command)], 1);
    expect(saidIn(provider.requests.at(-1)!)).toEqual(['/ask one', 're: /ask one', '/ask two']);
    platform.plays(
      {
        status: 400,
        body: {
          ok: false,
          error_code: 400,
          description: 'Bad Request: group chat was upgraded to a supergroup chat',
          parameters: { migrate_to_chat_id: -1_001_234 },
        },
      },
      'ok',
    );
    await tell(channel, [message({ ...group, id: -4002 }, '/ask three', command)], 1);
    expect(platform.delivered[0]!.body).toMatchObject({ chat_id: '-1001234', text: 're: /ask three' });
  });

  it('answers an album as one question, with all of its pictures', async () => {
    const channel = await newChannel('telegram');
    const chat = { id: 2222, type: 'private' };
    const photo = (caption?: string) =>
      message(chat, '', {
        ...{
          text: undefined,
          media_group_id: '13000000000000001',
          photo: [{ file_id: 'small' }, { file_id: 'large' }],
        },
        ...(caption && { caption }),
      });
    await tell(channel, [photo('Which of these?'), photo(), photo()], 1);
    expect(questions(provider)).toEqual(['Which of these?\n<image_url>\n<image_url>\n<image_url>']);
  });
});

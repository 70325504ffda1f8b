import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChannelType } from '../../../functions/channels/domain/channel.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { SLACK_BOT_ID } from '../../../local/played-platforms/webhooks.ts';
import { echoes, postPayload } from '../../helpers/channel-payloads.ts';
import { createChannel, eventually, sendMessage } from '../../helpers/channels.ts';
import { applicationOn } from '../../helpers/chat.ts';
import { type Script, type ScriptedProvider, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';

/** Signs of life while a model thinks. */

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
let application: { readonly id: string };
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
  application = await applicationOn(service, provider.baseUrl);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));
beforeEach(() => platform.plays('ok'));

const newChannel = (type: ChannelType) =>
  createChannel(service, type, platform.baseUrl, { application_id: application.id });
const slowly: Script = async (response, request) => {
  await setTimeout(2_500);
  await echoes(response, request);
};

it.each([
  ['telegram', /\/bot.+\/sendChatAction$/, { action: 'typing' }],
  ['line', /^\/v2\/bot\/chat\/loading\/start$/, { loadingSeconds: 60 }],
  ['whatsapp', /\/messages$/, { status: 'read', typing_indicator: { type: 'text' } }],
  ['teams', /^\/v3\/conversations\/[^/]+\/activities$/, { type: 'typing' }],
] as const)('%s shows that a slow answer is being made, before it is there', async (type, path, body) => {
  const channel = await newChannel(type);
  provider.plays(slowly);
  await sendMessage(service, channel, { text: 'Why?', conversation: `slow-${type}` }, platform.baseUrl);
  const sign = await eventually(() => platform.signs[0]);
  expect(platform.delivered).toEqual([]);
  expect(sign.path).toMatch(path);
  expect(sign.body).toMatchObject(body);
  await eventually(() => platform.delivered.length === 1);
  expect(platform.signs).toHaveLength(1);
});

it('Slack shows a status in the thread', async () => {
  const channel = await newChannel('slack');
  provider.plays(slowly);
  const event = {
    type: 'app_mention',
    user: 'U1',
    text: `<@${SLACK_BOT_ID}> why?`,
    ts: '5.1',
    channel: 'C1',
    event_ts: '5.1',
  };
  const authorizations = [{ team_id: 'T1', user_id: SLACK_BOT_ID, is_bot: true }];
  const payload = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', authorizations, event };
  await postPayload(service, channel, payload, platform.baseUrl);
  await eventually(() => platform.delivered.length === 1);
  expect(platform.signs).toEqual([
    { path: '/assistant.threads.setStatus', body: { channel_id: 'C1', thread_ts: '5.1', status: 'is thinking…' } },
  ]);
});

it.each(['telegram', 'discord', 'custom'] as const)('%s shows no sign where none is needed', async (type) => {
  const channel = await newChannel(type);
  // Discord shows "thinking…" by itself.
  provider.plays(type === 'telegram' ? echoes : slowly);
  await sendMessage(service, channel, { text: 'Quick?', conversation: `quick-${type}` }, platform.baseUrl);
  await eventually(() => platform.delivered.length === 1);
  expect(platform.signs).toEqual([]);
});

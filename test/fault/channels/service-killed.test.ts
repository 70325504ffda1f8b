import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHANNEL_TYPES, type ChannelType } from '../../../functions/channels/domain/channel.ts';
import {
  type DeliveredReply,
  type PlatformServer,
  startPlatformServer,
} from '../../../local/played-platforms/server.ts';
import { playedPlatforms } from '../../../local/played-platforms/webhooks.ts';
import { echoes } from '../../helpers/channel-payloads.ts';
import { createChannel, deadLetters, eventually, type ShownChannel, webhookPath } from '../../helpers/channels.ts';
import { applicationOn } from '../../helpers/chat.ts';
import { type ScriptedProvider, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { type ServiceProcess, startServiceProcess } from '../../helpers/service.ts';

/** On each of the seven platforms. */
const EVENTS = 30;
const CONVERSATIONS = 4;
const KILLS = 3;
/** Platforms that cannot recognise a part that is sent again: these alone may show one twice. */
const WITHOUT_KEY: readonly ChannelType[] = ['slack', 'telegram', 'teams', 'whatsapp'];

let platform: PlatformServer;
let provider: ScriptedProvider;
let service: ServiceProcess;
beforeAll(async () => {
  [platform, provider, service] = await Promise.all([startPlatformServer(), scriptedProvider(), startServiceProcess()]);
  provider.plays(echoes);
});
afterAll(() => Promise.all([platform?.stop(), provider?.stop(), service?.stop()]));

interface Event {
  readonly channel: ShownChannel;
  readonly text: string;
  readonly conversation: string;
  readonly eventId: string;
}

/** Like a platform: repeats events that were not answered with 200. */
async function post({ channel: { type, id }, ...message }: Event): Promise<void> {
  for (;;) {
    const { headers, body } = await playedPlatforms[type as ChannelType].webhook(message, {
      baseUrl: platform.baseUrl,
      nowMs: Date.now(),
    });
    const url = service.baseUrl + webhookPath(type, id);
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(50);
  }
}

it('kill -9 of the service at random moments loses no message on any platform, and doubles none where the platform has a key', async () => {
  const application = await applicationOn(service, provider.baseUrl);
  const channels = await Promise.all(
    CHANNEL_TYPES.map((type) => createChannel(service, type, platform.baseUrl, { application_id: application.id })),
  );
  const events = Array.from({ length: EVENTS }, (_, n) =>
    channels.map((channel): Event => {
      return { channel, text: `${channel.type} ${n}`, conversation: `12${n % CONVERSATIONS}`, eventId: randomUUID() };
    }),
  ).flat();
  const texts = () => new Set(platform.delivered.map(({ text }) => text));
  const posting = (async () => {
    // Those of one platform one after another, as they are said.
    const byType = Map.groupBy(events, ({ channel }) => channel.type);
    await Promise.all(
      [...byType.values()].map(async (some) => {
        for (const event of some) {
          await post(event);
          await sleep(Math.random() * 100);
        }
      }),
    );
  })();
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(200 + Math.random() * 1_500);
    await service.kill();
    service = await startServiceProcess({ dataDir: service.dataDir });
  }
  await posting;
  const missing = () => events.flatMap(({ text }) => (texts().has(`re: ${text}`) ? [] : [text]));
  await eventually(() => missing().length === 0).catch(() => undefined);
  expect(missing()).toEqual([]);
  expect(await deadLetters(service)).toEqual([]);

  const shown = Map.groupBy(
    platform.delivered.filter(({ type }) => !WITHOUT_KEY.includes(type)),
    ({ type, text, key }) => `${type} ${text} ${key}`,
  );
  // A platform with a key shows what it gets again under the same key once.
  const perText = Map.groupBy(
    [...shown.values()].map(([first]) => first!),
    ({ text }: DeliveredReply) => text,
  );
  expect([...perText].filter(([, replies]) => replies.length > 1).map(([text]) => text)).toEqual([]);
});

it('answers that a kill cut off leave room for others at once', async () => {
  const application = await applicationOn(service, provider.baseUrl);
  const channel = await createChannel(service, 'custom', platform.baseUrl, { application_id: application.id });
  const say = (text: string) => post({ channel, text, conversation: text, eventId: randomUUID() });
  // As many as a workspace may have at the same time, on a model that never answers.
  provider.plays(() => undefined);
  const cutOff = Array.from({ length: 6 }, (_, n) => `cut off ${n}`);
  await Promise.all(cutOff.map(say));
  await eventually(() => provider.requests.length >= cutOff.length);
  await service.kill();
  provider.plays(echoes);
  service = await startServiceProcess({ dataDir: service.dataDir });
  await say('after the kill');
  const shown = () => platform.delivered.some(({ text }) => text === 're: after the kill');
  expect(await eventually(shown)).toBe(true);
});

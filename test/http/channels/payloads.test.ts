import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES, type ChannelType } from '../../../functions/channels/domain/channel.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { playedPlatforms } from '../../../local/played-platforms/webhooks.ts';
import { customPayloads } from '../../fixtures/channel-payloads/custom.ts';
import { discordPayloads } from '../../fixtures/channel-payloads/discord.ts';
import { linePayloads } from '../../fixtures/channel-payloads/line.ts';
import type { PayloadRow } from '../../fixtures/channel-payloads/row.ts';
import { slackPayloads } from '../../fixtures/channel-payloads/slack.ts';
import { teamsPayloads } from '../../fixtures/channel-payloads/teams.ts';
import { telegramPayloads } from '../../fixtures/channel-payloads/telegram.ts';
import { whatsappPayloads } from '../../fixtures/channel-payloads/whatsapp.ts';
import { echoes, type Payload, postPayload, questions } from '../../helpers/channel-payloads.ts';
import { createChannel, eventually } from '../../helpers/channels.ts';
import { applicationOn } from '../../helpers/chat.ts';
import { type ScriptedProvider, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';

/** Every payload of the corpus, posted as the platform does. */

const corpus: Readonly<Record<ChannelType, readonly PayloadRow[]>> = {
  slack: slackPayloads,
  discord: discordPayloads,
  telegram: telegramPayloads,
  line: linePayloads,
  teams: teamsPayloads,
  whatsapp: whatsappPayloads,
  custom: customPayloads,
};

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
let application: { readonly id: string };
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
  application = await applicationOn(service, provider.baseUrl);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));

const atPlatform = (text: string) => text.replaceAll('PLATFORM', platform.baseUrl);

/** The payload with the address of the played platform in it. */
function placed(payload: Payload): Payload {
  const isForm = payload instanceof URLSearchParams;
  if (isForm)
    return new URLSearchParams([...payload].map(([name, value]): [string, string] => [name, atPlatform(value)]));
  return JSON.parse(atPlatform(JSON.stringify(payload))) as object;
}

describe.each(CHANNEL_TYPES)('the payloads of %s', (type) => {
  const rows = corpus[type];

  it('are at least 25', () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
  });

  it('ask the application what they say, each once, and are answered where they were sent', async () => {
    const settings = {
      ...playedPlatforms[type].settings(platform.baseUrl),
      ...(type === 'telegram' && { bot_username: 'tripod_bot' }),
    };
    const channel = await createChannel(service, type, platform.baseUrl, { application_id: application.id, settings });
    provider.plays(echoes);
    platform.plays('ok');
    for (const { name, payload, answer = { status: 200 } } of rows) {
      const response = await postPayload(service, channel, placed(payload), platform.baseUrl);
      expect([name, response.status]).toEqual([name, answer.status]);
      if ('body' in answer) expect([name, await response.json()]).toEqual([name, answer.body]);
    }
    const asked = rows.filter(({ asks }) => asks !== null);
    await eventually(() => platform.delivered.length >= asked.length && provider.requests.length >= asked.length);
    expect(questions(provider).toSorted()).toEqual(asked.map(({ asks }) => asks).toSorted());
    const bodies = platform.delivered.map(({ body }) => body);
    for (const { to } of asked) if (to !== undefined) expect(bodies).toContainEqual(expect.objectContaining(to));
  });
});

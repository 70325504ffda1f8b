import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES, type ChannelType } from '../../../functions/channels/domain/channel.ts';
import { channel as channelSchema } from '../../../functions/channels/schemas.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { playedPlatforms, TEAMS_APP_ID, teamsToken } from '../../../local/played-platforms/webhooks.ts';
import { call } from '../../helpers/api.ts';
import {
  CHANNELS_PATH,
  createChannel,
  eventually,
  type ShownChannel,
  sendMessage,
  status,
  webhookPath,
  webhookPost,
} from '../../helpers/channels.ts';
import { dataOf, refusalOf } from '../../helpers/chat.ts';
import { type ScriptedProvider, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));

const NO_DOCUMENTS = /^I have no documents to answer from/;

const post = webhookPost(service);

const signed = (type: ChannelType, body: string, nowMs = Date.now()) =>
  playedPlatforms[type].sign(body, { nowMs, serviceUrl: platform.baseUrl });

describe.each(CHANNEL_TYPES)('%s', (type) => {
  it('a message is accepted, answered by the application, and the reply delivered', async () => {
    const channel = await createChannel(service, type, platform.baseUrl);
    platform.plays('ok');
    const accepted = await sendMessage(service, channel, { text: 'What does it say?' }, platform.baseUrl);
    expect(accepted.status).toBe(200);
    const reply = await eventually(() => platform.delivered[0]);
    expect(reply).toMatchObject({ type, text: expect.stringMatching(NO_DOCUMENTS) });
  });
});

it('a webhook of Slack that checks the certificate is 200 without a signature, and nothing else in it is read', async () => {
  const channel = await createChannel(service, 'slack', platform.baseUrl);
  platform.plays('ok');
  const post = (fields: Readonly<Record<string, string>>) =>
    fetch(service.baseUrl + webhookPath('slack', channel.id), { method: 'POST', body: new URLSearchParams(fields) });
  const command = { token: 'x', command: '/ask', text: 'x', channel_id: 'D1', user_id: 'U1', trigger_id: '1' };
  expect((await post({ ssl_check: '1', token: 'gIkuvaNzQIHg97ATvDxqgjtO' })).status).toBe(200);
  expect((await post({ ...command, ssl_check: '1' })).status).toBe(200);
  expect((await post({ ...command, ssl_check: '0' })).status).toBe(401);
  expect((await status(service, 'slack')).queue_depth.inbound).toBe(0);
  expect(platform.attempts).toEqual([]);
});

describe('a webhook of', () => {
  let channels: Readonly<Record<ChannelType, ShownChannel>>;
  beforeAll(async () => {
    const made = await Promise.all(CHANNEL_TYPES.map((type) => createChannel(service, type, platform.baseUrl)));
    channels = Object.fromEntries(made.map((channel) => [channel.type, channel])) as typeof channels;
  });

  describe.each(CHANNEL_TYPES)('%s', (type) => {
    const webhook = () =>
      playedPlatforms[type].webhook({ text: 'x' }, { baseUrl: platform.baseUrl, nowMs: Date.now() });
    const refused = async (headers: Readonly<Record<string, string>>, body: string) => {
      expect((await post(channels[type], headers, body)).status).toBe(401);
    };

    it('without a signature, with a wrong one or with half of it, is 401', async () => {
      const { headers, body } = await webhook();
      await refused({}, body);
      for (const [name, value] of Object.entries(headers))
        if (/signature|secret|authorization/.test(name) && !name.includes('timestamp')) {
          await refused({ ...headers, [name]: value.slice(0, -2) }, body);
          await refused({ ...headers, [name]: 'x' }, body);
        }
    });

    it.runIf(type !== 'telegram' && type !== 'teams')(
      'whose body has one byte more, or is serialised again, is 401',
      async () => {
        const { headers, body } = await webhook();
        await refused(headers, `${body} `);
        await refused(headers, JSON.stringify(JSON.parse(body), null, 1));
      },
    );

    it.runIf(['slack', 'discord', 'custom', 'teams'].includes(type))(
      'from another time is 401, past or future',
      async () => {
        for (const minutes of [-70, 10]) {
          const nowMs = Date.now() + minutes * 60_000;
          const { headers, body } = await playedPlatforms[type].webhook(
            { text: 'x' },
            { baseUrl: platform.baseUrl, nowMs },
          );
          await refused(headers, body);
        }
      },
    );

    it('that was refused, and one that was taken, show in its channel', async () => {
      const channel = await createChannel(service, type, platform.baseUrl);
      const inbound = async () =>
        dataOf(await call(service, 'GET', `${CHANNELS_PATH}/${channel.id}`), channelSchema.strict()).inbound;
      expect(await inbound()).toEqual({ last_received_at: null, last_refused: null });
      const { headers, body } = await webhook();
      expect((await post(channel, {}, body)).status).toBe(401);
      expect((await inbound()).last_refused).toMatchObject({ reason: 'signature_missing' });
      const wrong = Object.entries(headers).map(([name, value]) =>
        /(?:signature|ed25519|secret-token|authorization|256)$/.test(name)
          ? [name, `${value.slice(0, -2)}xx`]
          : [name, value],
      );
      expect((await post(channel, Object.fromEntries(wrong), body)).status).toBe(401);
      expect((await inbound()).last_refused).toMatchObject({
        reason: 'signature_wrong',
        detail: expect.stringMatching(/secrets\.|settings\.app_id/),
      });
      expect((await inbound()).last_received_at).toBeNull();
      expect((await post(channel, headers, body)).status).toBe(200);
      expect((await inbound()).last_received_at).not.toBeNull();
    });

    it('of 2 MB is 413, and one that is not JSON is 400', async () => {
      const large = JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) });
      const tooLarge = await post(channels[type], await signed(type, large), large).catch(() => ({ status: 413 }));
      expect(tooLarge.status).toBe(413);
      if (type === 'teams') return;
      for (const body of ['', '{', '[]', '"text"', 'null'])
        expect((await post(channels[type], await signed(type, body), body)).status).toBe(400);
    });
  });

  it('two channels of one type needs ?channel= unless it is signed for the oldest', async () => {
    const { headers, body } = await playedPlatforms.slack.webhook(
      { text: 'x' },
      { baseUrl: platform.baseUrl, nowMs: Date.now() },
    );
    expect(refusalOf(await post({ type: 'slack' }, headers, `${body} `))).toEqual([
      400,
      expect.stringContaining('?channel='),
    ]);
    expect((await post({ type: 'slack', id: channels.line.id }, headers, body)).status).toBe(404);
    expect((await post({ type: 'slack', id: 'chn_00000000000000000000000000' }, headers, body)).status).toBe(404);
    expect((await post({ type: 'slack', id: 'x' }, headers, body)).status).toBe(400);
  });

  it('Slack, Discord and WhatsApp is shaken hands with, once it is verified', async () => {
    const hello = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1a' });
    expect((await post(channels.slack, await signed('slack', hello), hello)).json).toEqual({ challenge: '3eZbrw1a' });
    expect((await post(channels.slack, {}, hello)).status).toBe(401);
    expect((await post(channels.discord, await signed('discord', '{"type":1}'), '{"type":1}')).json).toEqual({
      type: 1,
    });
    const ask = (query: string) => fetch(`${service.baseUrl}${webhookPath('whatsapp', channels.whatsapp.id)}&${query}`);
    const right = await ask('hub.mode=subscribe&hub.verify_token=whatsapp-verify&hub.challenge=1158201444');
    expect([right.status, await right.text()]).toEqual([200, '1158201444']);
    expect((await ask('hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1')).status).toBe(401);
    expect((await call(service, 'GET', webhookPath('line', channels.line.id), { key: null })).status).toBe(404);
  });

  it('Teams is refused with a token for another app, of another key, or for another service address', async () => {
    const { body } = await playedPlatforms.teams.webhook(
      { text: 'x' },
      { baseUrl: platform.baseUrl, nowMs: Date.now() },
    );
    const withToken = async (token: string, sent = body) =>
      (await post(channels.teams, { authorization: `Bearer ${token}` }, sent)).status;
    const claims = { serviceurl: platform.baseUrl };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await withToken(await teamsToken(claims, Date.now()))).toBe(200);
    expect(await withToken(await teamsToken(claims, Date.now(), { audience: `${TEAMS_APP_ID}0` }))).toBe(401);
    expect(await withToken(await teamsToken(claims, Date.now(), { key: privateKey }))).toBe(401);
    expect(await withToken(await teamsToken({ serviceurl: 'https://evil.example' }, Date.now()))).toBe(401);
    expect(await withToken(await teamsToken({}, Date.now()))).toBe(401);
    // The key of the token is endorsed for Teams, and not for every channel of the Bot Framework.
    const elsewhere = body.replace('"channelId":"msteams"', '"channelId":"skype"');
    expect(await withToken(await teamsToken(claims, Date.now()), elsewhere)).toBe(401);
  });

  it('an event that is sent again is answered once', async () => {
    platform.plays('ok');
    for (let i = 0; i < 3; i++)
      expect(
        (await sendMessage(service, channels.custom, { text: 'x', eventId: 'again' }, platform.baseUrl)).status,
      ).toBe(200);
    await sendMessage(service, channels.custom, { text: 'x', eventId: 'last' }, platform.baseUrl);
    await eventually(() => platform.delivered.length >= 2);
    const keys = platform.delivered.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(keys).toHaveLength(2);
  });
});

it("a webhook without ?channel= is for the oldest channel of its type, regardless of other workspaces' channels", async () => {
  const other = await createWorkspace();
  const send = async () => {
    const { headers, body } = await playedPlatforms.line.webhook(
      { text: 'x' },
      { baseUrl: platform.baseUrl, nowMs: Date.now() },
    );
    const { status, json } = await post({ type: 'line' }, headers, body);
    return status === 200 ? 200 : refusalOf({ status, json, headers: new Headers() });
  };
  const oldest = await createChannel(service, 'line', platform.baseUrl);
  platform.plays('ok');
  expect(await send()).toBe(200);
  const foreign = await createChannel({ ...service, ...other, baseUrl: service.baseUrl }, 'line', platform.baseUrl, {
    secrets: { channel_secret: 'another-secret', channel_access_token: 'another' },
  });
  expect(await send()).toBe(200);
  for (const [caller, { id }] of [
    [service, oldest],
    [{ ...service, ...other, baseUrl: service.baseUrl }, foreign],
  ] as const)
    await call(caller, 'DELETE', `${CHANNELS_PATH}/${id}`);
});

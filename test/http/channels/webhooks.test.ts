import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DynamoChannels } from '../../../functions/adapters/channels/dynamo-channels.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { systemClock } from '../../../functions/adapters/shared/system-ports.ts';
import { CHANNEL_TYPES, type ChannelType } from '../../../functions/channels/domain/channel.ts';
import { changeChannel } from '../../../functions/channels/domain/manage-channels.ts';
import { channelPage, webhookPage } from '../../../functions/channels/schemas.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { Recent } from '../../../functions/shared/recent.ts';
import { PIXEL, type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { playedPlatforms, TEAMS_APP_ID, teamsToken } from '../../../local/played-platforms/webhooks.ts';
import { call } from '../../helpers/api.ts';
import {
  CHANNELS_PATH,
  createChannel,
  deadLetters,
  eventually,
  replay,
  type ShownChannel,
  sendMessage,
  status,
  webhookPath,
} from '../../helpers/channels.ts';
import { applicationOn, applicationPath, createApplication, dataOf, refusalOf } from '../../helpers/chat.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));

const NO_DOCUMENTS = /^I have no documents to answer from/;

/** Posts anything to a channel's webhook. */
async function post(
  { type, id }: { readonly type: string; readonly id?: string },
  headers: Readonly<Record<string, string>>,
  body: string,
) {
  return call(service, 'POST', webhookPath(type, id), { key: null, headers, raw: body });
}

const signed = (type: ChannelType, body: string, nowMs = Date.now()) =>
  playedPlatforms[type].sign(body, { nowMs, serviceUrl: platform.baseUrl });

describe('without a channel', () => {
  // First: no channel is configured yet.
  it.each(CHANNEL_TYPES)('of the type %s, a webhook is 404', async (type) => {
    expect(refusalOf(await post({ type }, await signed(type, '{}'), '{}'))[0]).toBe(404);
  });

  it('of that name, a type is 404', async () => {
    for (const type of ['myspace', 'Slack', 'constructor', '..%2Fx'])
      expect((await post({ type }, {}, '{}')).status).toBe(404);
  });
});

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

    it('of 2 MB is 413, and one that is no JSON is 400', async () => {
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

describe('an answer', () => {
  it.each(CHANNEL_TYPES)(
    'on %s may quote an image or a file of the message, which the application gets as a part',
    async (type) => {
      const application = await applicationOn(service, provider.baseUrl);
      const channel = await createChannel(service, type, platform.baseUrl, { application_id: application.id });
      provider.plays(says('Seen.'));
      platform.plays('ok');
      const file = { id: 'media-1', url: `${platform.baseUrl}/file/1.png`, mimeType: 'image/png', name: '1.png' };
      await sendMessage(service, channel, { text: 'Look', file }, platform.baseUrl);
      await eventually(() => platform.delivered.length > 0);
      const parts = await eventually(() =>
        provider.requests.map(({ body }) => JSON.stringify(body)).find((text) => text.includes('image_url')),
      );
      expect(parts).toContain(PIXEL.toString('base64'));
    },
  );

  it('of a workflow application is what its workflow says', async () => {
    const said = node('say', 'answer', { text: 'The workflow heard: {{sys.query}}' });
    const workflow = await publishedWorkflow(service, graph([node('start', 'start', {}), said], ['start > say']));
    const application = await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } });
    const channel = await createChannel(service, 'line', platform.baseUrl, { application_id: application.id });
    platform.plays('ok');
    await sendMessage(service, channel, { text: 'Good morning' }, platform.baseUrl);
    expect((await eventually(() => platform.delivered[0])).text).toBe('The workflow heard: Good morning');
  });

  it('is in the history of its sender, and too long for one message comes in parts, in their order', async () => {
    const application = await applicationOn(service, provider.baseUrl);
    const channel = await createChannel(service, 'telegram', platform.baseUrl, { application_id: application.id });
    const words = Array.from({ length: 1500 }, (_, i) => `word${i}`).join(' ');
    provider.plays(says(words), says('Second.'));
    platform.plays('ok');
    await sendMessage(service, channel, { text: 'First question' }, platform.baseUrl);
    // A late reply to an earlier message may be among them.
    await eventually(() =>
      platform.delivered
        .map(({ text }) => text)
        .join(' ')
        .includes(words),
    );
    expect(platform.delivered.every(({ text }) => text.length <= 4096)).toBe(true);
    await sendMessage(service, channel, { text: 'Second question' }, platform.baseUrl);
    await eventually(() => platform.delivered.at(-1)?.text === 'Second.');
    const roles = provider.requests.at(-1)!.body.messages.map(({ role, content }) => [role, content]);
    expect(roles).toEqual([
      ['user', 'First question'],
      ['assistant', words],
      ['user', 'Second question'],
    ]);
  });
});

describe('an answer that was recorded when its worker died', () => {
  it('is delivered as it was: the model is asked once, and the turn is there once', async () => {
    const application = await applicationOn(service, provider.baseUrl);
    const channel = await createChannel(service, 'line', platform.baseUrl, { application_id: application.id });
    provider.plays(says('First.'), says('Second.'));
    // Only now: its modules read the environment of the service.
    const { answerOfApplication } = await import('../../../functions/channels/application-answers.ts');
    const { workspaceId } = service;
    const asked = { workspaceId, applicationId: application.id, channelId: channel.id, sessionId: 's|p' };
    const answerTo = (key: string) =>
      answerOfApplication({ ...asked, key, content: 'Question' }, AbortSignal.timeout(60_000));
    const [one, other] = ['msg_01M81XWSH8NPC1GHRFX52S8C9E', 'msg_01M81XWSH8NPC1GHRFX52S8C9F'];
    expect([await answerTo(one), await answerTo(one), await answerTo(other)]).toEqual(['First.', 'First.', 'Second.']);
    expect(provider.requests.at(-1)!.body.messages.map(({ content }) => content)).toEqual([
      'Question',
      'First.',
      'Question',
    ]);
  });
});

describe('a platform that', () => {
  it.each([
    ['asks to wait', { status: 429, retryAfter: 1 }],
    ['fails', { status: 500 }],
    ['breaks the connection', 'reset'],
  ] as const)('%s gets the reply once more', async (_, behaviour) => {
    const channel = await createChannel(service, 'whatsapp', platform.baseUrl);
    platform.plays(behaviour, 'ok');
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    await eventually(() => platform.delivered[0]);
    expect(platform.attempts).toHaveLength(2);
  });

  it('says ok: false with a fault of its own gets it once more; a fault of the channel makes it a dead letter', async () => {
    const channel = await createChannel(service, 'slack', platform.baseUrl);
    platform.plays('not ok', 'ok');
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    await eventually(() => platform.delivered[0]);
    platform.plays({ status: 200, body: { ok: false, error: 'channel_not_found' } });
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    const [letter] = await eventually(async () => {
      const found = await deadLetters(service, `?channel_id=${channel.id}`);
      return found.length > 0 && found;
    });
    expect(letter).toMatchObject({
      reason: 'channel_not_found',
      attempts: 1,
      direction: 'outbound',
      priority: 'normal',
    });
    platform.plays('ok');
    expect((await call(service, 'POST', `/api/v1/dead-letters/${letter!.id}/replay`)).status).toBe(202);
    expect((await eventually(() => platform.delivered[0])).text).toBe(letter!.text);
    expect(await deadLetters(service, `?channel_id=${channel.id}`)).toEqual([]);
  });

  it('redirects to a private address is not followed', async () => {
    const channel = await createChannel(service, 'custom', platform.baseUrl);
    platform.plays({ status: 302, location: 'http://169.254.169.254/latest/meta-data' });
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    const [letter] = await eventually(async () => {
      const found = await deadLetters(service, `?channel_id=${channel.id}&reason=http_302`);
      return found.length > 0 && found;
    });
    expect((await call(service, 'DELETE', `/api/v1/dead-letters/${letter!.id}`)).status).toBe(204);
    expect(await replay(service, { ids: [letter!.id] })).toEqual({ replayed: 0, skipped: 1, has_more: false });
  });

  it('wants no more disables its channel', async () => {
    const channel = await createChannel(service, 'custom', platform.baseUrl);
    platform.plays({ status: 410 });
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    await eventually(async () => {
      const answer = await call(service, 'GET', `${CHANNELS_PATH}/${channel.id}`);
      return JSON.stringify(answer.json).includes('"disabled_reason":"http_410"');
    });
    expect((await sendMessage(service, channel, { text: 'x' }, platform.baseUrl)).status).toBe(404);
  });
});

describe('the management of channels', () => {
  it('never returns a secret, and lists channels and webhooks', async () => {
    const channel = await createChannel(service, 'slack', platform.baseUrl);
    const listed = await call(service, 'GET', CHANNELS_PATH);
    const { channels } = dataOf(listed, z.strictObject(channelPage.shape));
    expect(channels).toContainEqual(channel);
    for (const secret of Object.values(playedPlatforms.slack.secrets))
      expect(JSON.stringify(listed.json)).not.toContain(secret);
    const { webhooks } = dataOf(await call(service, 'GET', '/api/v1/webhooks'), z.strictObject(webhookPage.shape));
    expect(webhooks).toContainEqual(expect.objectContaining({ channel_id: channel.id, url: channel.webhook_url }));
    expect(channel.webhook_url).toBe(service.baseUrl + webhookPath('slack', channel.id));
  });

  it('rotates a secret with an overlap, in which both are valid', async () => {
    const channel = await createChannel(service, 'telegram', platform.baseUrl);
    const change = (body: object) => call(service, 'PATCH', `${CHANNELS_PATH}/${channel.id}`, { body });
    const send = async () => (await sendMessage(service, channel, { text: 'x' }, platform.baseUrl)).status;
    const { json } = await change({ secrets: { secret_token: 'next' }, secret_overlap_seconds: 3600 });
    expect(JSON.stringify(json)).toMatch(/"secret_token":\{"previous_valid_until":"20/);
    expect(await send()).toBe(200);
    await change({ secrets: { secret_token: 'another' }, secret_overlap_seconds: 0 });
    expect(await send()).toBe(401);
  });

  it('knows a secret at once that was changed elsewhere, though the channel was read a moment ago', async () => {
    const channel = await createChannel(service, 'telegram', platform.baseUrl);
    expect((await sendMessage(service, channel, { text: 'x' }, platform.baseUrl)).status).toBe(200);
    const { managePorts } = await import('../../../functions/channels/manage-wiring.ts');
    const ports = managePorts();
    const { CHANNELS_TABLE } = environment('CHANNELS_TABLE');
    const channels = new DynamoChannels(dynamoClient(), CHANNELS_TABLE, {
      recent: new Recent(systemClock),
      backoff: instantBackoff,
    });
    const id = { workspaceId: service.workspaceId, channelId: channel.id };
    const change = { secrets: { secret_token: 'changed-elsewhere' }, overlapSeconds: 0 };
    await changeChannel(id, change, { ...ports, channels });
    const { body } = await playedPlatforms.telegram.webhook(
      { text: 'y' },
      { baseUrl: platform.baseUrl, nowMs: Date.now() },
    );
    const headers = {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': 'changed-elsewhere',
    };
    expect((await post(channel, headers, body)).status).toBe(200);
  });

  it('and messages are stored though other writes are at the same items', async () => {
    await service.aws.dynamodb.conflictNextTransactions(2);
    const channel = await createChannel(service, 'line', platform.baseUrl);
    await service.aws.dynamodb.conflictNextTransactions(2);
    expect((await sendMessage(service, channel, { text: 'x' }, platform.baseUrl)).status).toBe(200);
    await service.aws.dynamodb.conflictNextTransactions(2);
    expect((await call(service, 'DELETE', `${CHANNELS_PATH}/${channel.id}`)).status).toBe(204);
    await service.aws.dynamodb.conflictNextTransactions(0);
  });

  it('reports the fault of a secret, a setting or an application', async () => {
    const good = {
      name: 'x',
      type: 'custom',
      secrets: playedPlatforms.custom.secrets,
      settings: { url: 'https://example.com/?a=1' },
    };
    const { application_id } = await createChannel(service, 'custom', platform.baseUrl);
    const refusal = async (body: object) =>
      refusalOf(await call(service, 'POST', CHANNELS_PATH, { body: { ...good, application_id, ...body } }));
    expect(await refusal({ secrets: {} })).toEqual([422, 'secrets.signing_secret is needed by custom.']);
    expect(await refusal({ secrets: { signing_secret: 'short' } })).toEqual([422, expect.stringContaining('whsec_')]);
    expect(await refusal({ secrets: { ...good.secrets, token: 'x' } })).toEqual([
      422,
      expect.stringContaining('not known to custom'),
    ]);
    expect(await refusal({ settings: {} })).toEqual([422, 'settings.url is needed by custom.']);
    for (const url of ['http://example.com', 'https://10.0.0.1/', 'https://user:pw@example.com'])
      expect((await refusal({ settings: { url } }))[0]).toBe(422);
    expect(await refusal({ application_id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b' })).toEqual([
      422,
      expect.stringContaining('application_id'),
    ]);
    expect((await refusal({ type: 'myspace' }))[0]).toBe(422);
    expect((await refusal({ extra: 1 }))[0]).toBe(400);
  });

  it('removes a channel, whose webhook is 404 from then on', async () => {
    const channel = await createChannel(service, 'line', platform.baseUrl);
    expect((await call(service, 'DELETE', `${CHANNELS_PATH}/${channel.id}`)).status).toBe(204);
    expect((await sendMessage(service, channel, { text: 'x' }, platform.baseUrl)).status).toBe(404);
  });
});

it('the status shows queues and circuits; messages of a removed application are dead letters, replayed by a filter', async () => {
  const channel = await createChannel(service, 'custom', platform.baseUrl);
  await call(service, 'DELETE', applicationPath(channel.application_id));
  platform.plays('ok');
  await sendMessage(service, channel, { text: 'to nobody' }, platform.baseUrl);
  const filter = { channel_id: channel.id, reason: 'application_not_found', direction: 'inbound' };
  const [letter] = await eventually(async () => {
    const found = await deadLetters(service, `?${new URLSearchParams(filter)}`);
    return found.length > 0 && found;
  });
  expect(letter).toMatchObject({ text: 'to nobody', type: 'custom' });
  expect((await eventually(() => platform.delivered[0])).text).toMatch(/^Sorry/);
  const custom = await status(service, 'custom');
  expect(custom.channels).toBeGreaterThan(0);
  expect(custom.circuits).toContainEqual(expect.objectContaining({ address: platform.baseUrl, state: 'closed' }));
  expect(await replay(service, { filter })).toEqual({ replayed: 1, skipped: 0, has_more: false });
  await eventually(async () =>
    (await deadLetters(service, `?channel_id=${channel.id}`)).some(({ id }) => id !== letter!.id),
  );
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

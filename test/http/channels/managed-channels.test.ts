import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DynamoChannels } from '../../../functions/adapters/channels/dynamo-channels.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { systemClock } from '../../../functions/adapters/shared/system-ports.ts';
import { changeChannel } from '../../../functions/channels/domain/manage-channels.ts';
import { channelPage, webhookPage } from '../../../functions/channels/schemas.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { Recent } from '../../../functions/shared/recent.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { playedPlatforms } from '../../../local/played-platforms/webhooks.ts';
import { call } from '../../helpers/api.ts';
import {
  CHANNELS_PATH,
  createChannel,
  deadLetters,
  eventually,
  replay,
  sendMessage,
  status,
  webhookPath,
  webhookPost,
} from '../../helpers/channels.ts';
import { applicationPath, createApplication, dataOf, refusalOf } from '../../helpers/chat.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { type ScriptedProvider, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));

const post = webhookPost(service);

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

  it.each([
    ['slack', { signing_secret: 'xoxb-1-2-3' }, 'signing_secret is a token'],
    ['slack', { bot_token: '8f742231b10e8888abcd99eeefff85a5' }, 'bot_token is a signing secret'],
    ['line', { channel_access_token: '8f742231b10e8888abcd99eeefff85a5' }, 'channel_access_token is a channel secret'],
    ['line', { channel_secret: 'x'.repeat(172) }, 'channel_secret is an access token'],
    ['whatsapp', { app_secret: 'EAAGm0PX4ZCpsBA' }, 'app_secret is an access token'],
    ['whatsapp', { access_token: '8f742231b10e8888abcd99eeefff85a5' }, 'access_token is an app secret'],
    ['teams', { app_password: '11111111-1111-4111-8111-111111111111' }, 'app_password is the id'],
  ] as const)('names a secret of %s in the place of another: %o', async (type, secrets, problem) => {
    const { secrets: all, settings } = playedPlatforms[type];
    const application_id = (await createApplication(service, { type: 'channel' })).id;
    const body = { name: type, type, secrets: { ...all, ...secrets }, settings: settings(platform.baseUrl) };
    const refusal = refusalOf(await call(service, 'POST', CHANNELS_PATH, { body: { ...body, application_id } }));
    expect(refusal).toEqual([422, expect.stringContaining(problem)]);
  });

  it('asks for the tenant of a Teams app, which may be multi-tenant on purpose', async () => {
    const { secrets, settings } = playedPlatforms.teams;
    const create = (tenant: object) => {
      const { tenant_id: _, ...others } = settings(platform.baseUrl) as Record<string, string>;
      const body = { name: 'Teams', type: 'teams', secrets, settings: { ...others, ...tenant } };
      return call(service, 'POST', CHANNELS_PATH, { body: { ...body, application_id: application } });
    };
    const application = (await createApplication(service, { type: 'channel' })).id;
    for (const tenant of [{}, { tenant_id: 'contoso' }]) {
      const refused = await create(tenant);
      expect([refused.status, JSON.stringify(refused.json)]).toEqual([422, expect.stringContaining('tenant_id')]);
    }
    for (const tenant_id of ['botframework.com', '72f988bf-86f1-41af-91ab-2d7cd011db47'])
      expect((await create({ tenant_id })).status).toBe(201);
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
    const { managePorts } = await import('../../../functions/wiring/channels/manage-channels.ts');
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
  await sendMessage(service, channel, { text: 'a reply that is refused' }, platform.baseUrl);
  const filter = { channel_id: channel.id, reason: 'application_not_found', direction: 'inbound' };
  const [letter] = await eventually(async () => {
    const found = await deadLetters(service, `?${new URLSearchParams(filter)}`);
    return found.length > 0 && found;
  });
  expect(letter).toMatchObject({ text: 'a reply that is refused', type: 'custom' });
  expect((await eventually(() => platform.delivered[0])).text).toMatch(/^Sorry/);
  const custom = await status(service, 'custom');
  expect(custom.channels).toBeGreaterThan(0);
  expect(custom.circuits).toContainEqual(expect.objectContaining({ address: platform.baseUrl, state: 'closed' }));
  expect(await replay(service, { filter })).toEqual({ replayed: 1, skipped: 0, has_more: false });
  await eventually(async () =>
    (await deadLetters(service, `?channel_id=${channel.id}`)).some(({ id }) => id !== letter!.id),
  );
});

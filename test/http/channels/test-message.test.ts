import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES, type ChannelType } from '../../../functions/channels/domain/channel.ts';
import { testResult } from '../../../functions/channels/schemas.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { call } from '../../helpers/api.ts';
import { CHANNELS_PATH, createChannel } from '../../helpers/channels.ts';
import { dataOf, refusalOf } from '../../helpers/chat.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let platform: PlatformServer;
beforeAll(async () => {
  platform = await startPlatformServer();
});
afterAll(() => platform.stop());
beforeEach(() => platform.plays('ok'));

const testPath = (id: string) => `${CHANNELS_PATH}/${id}/test`;
const send = (id: string, body: object = { to: 'C123' }, caller: Pick<typeof service, 'apiKey'> = service) =>
  call({ ...service, ...caller }, 'POST', testPath(id), { body });
const DELIVERED = { delivered: true, code: null, detail: null, passing: false, retry_after: null };

describe('a test message of a channel', () => {
  it.each([...CHANNEL_TYPES])('goes to %s by the way of replies', async (type: ChannelType) => {
    const { id } = await createChannel(service, type, platform.baseUrl);
    const before = platform.delivered.length;
    expect(dataOf(await send(id, { to: 'C123', text: '안녕하세요' }), testResult.strict())).toEqual(DELIVERED);
    const [sent, ...more] = platform.delivered.slice(before);
    expect(JSON.stringify(sent?.body) + decodeURIComponent(sent?.path ?? '')).toMatch(/(?=.*안녕하세요)(?=.*C123)/s);
    expect(more).toEqual([]);
  });

  it('says why the platform refuses it, in its own words, and opens no circuit', async () => {
    const { id, type } = await createChannel(service, 'slack', platform.baseUrl);
    platform.plays({ status: 200, body: { ok: false, error: 'missing_scope', needed: 'chat:write' } });
    const refused = dataOf(await send(id), testResult.strict());
    const slackSaid = { code: 'missing_scope', detail: 'missing_scope: needs chat:write' };
    // A fault of the account passes once its owner has corrected it.
    expect(refused).toEqual({ ...DELIVERED, ...slackSaid, delivered: false, passing: true });
    platform.plays({ status: 503, retryAfter: 7 });
    for (let sent = 0; sent < 6; sent++)
      expect(dataOf(await send(id), testResult.strict())).toMatchObject({ passing: true, retry_after: 7 });
    const status = await call(service, 'GET', '/api/v1/webhooks/status');
    const { platforms } = (status.json as { data: { platforms: { type: string; queue_depth: object }[] } }).data;
    expect(JSON.stringify(platforms.find((each) => each.type === type))).not.toContain('"open"');
  });

  it('is refused for another workspace’s channel and without a place to go to', async () => {
    const { id } = await createChannel(service, 'custom', platform.baseUrl);
    const before = platform.delivered.length;
    expect(refusalOf(await send(id, { to: 'C123' }, await createWorkspace()))[0]).toBe(404);
    for (const body of [{}, { to: ' ' }, { to: 'C', text: '' }, { to: 'C', more: 1 }])
      expect(refusalOf(await send(id, body))[0]).toBeGreaterThanOrEqual(400);
    expect(platform.delivered.length).toBe(before);
  });

  it('to Discord says that a channel without a bot token can only answer', async () => {
    const secrets = { public_key: 'a'.repeat(64) };
    const { id } = await createChannel(service, 'discord', platform.baseUrl, { secrets });
    expect(dataOf(await send(id), testResult.strict())).toMatchObject({ delivered: false, code: 'no_bot_token' });
  });
});

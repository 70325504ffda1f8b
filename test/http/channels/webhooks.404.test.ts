import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES, type ChannelType } from '../../../functions/channels/domain/channel.ts';
import { playedPlatforms } from '../../../local/played-platforms/webhooks.ts';
import { webhookPost } from '../../helpers/channels.ts';
import { refusalOf } from '../../helpers/chat.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';

// Not the shared service, where a channel of each type may exist.
let service: InProcessService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = async (type: string, headers = {}) => webhookPost(service)({ type }, headers, '{}');

const signed = (type: ChannelType) =>
  playedPlatforms[type].sign('{}', { nowMs: Date.now(), serviceUrl: 'http://127.0.0.1:9' });

describe('a webhook of a service without channels', () => {
  it.each(CHANNEL_TYPES)('is 404 for the type %s', async (type) => {
    expect(refusalOf(await post(type, await signed(type)))[0]).toBe(404);
  });

  it('is 404 for names that are not types', async () => {
    for (const type of ['myspace', 'Slack', 'constructor', '..%2Fx']) expect((await post(type)).status).toBe(404);
  });
});

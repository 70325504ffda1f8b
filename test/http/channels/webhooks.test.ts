import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../../../functions/channels/domain/channel.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { createChannel, eventually, sendMessage } from '../../helpers/channels.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();
let platform: PlatformServer;
beforeAll(async () => {
  platform = await startPlatformServer();
});
afterAll(() => platform.stop());

const NO_DOCUMENTS = /^I have no documents to answer from/;

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

import { CHANNEL_TYPES } from '../../functions/channels/domain/channel.ts';
import type { PlatformServer } from '../../local/played-platforms/server.ts';
import { newChannel, postWebhook, type Target } from '../played-channel.ts';
import { type Client, until } from './clients.ts';

const CONVERSATIONS = 10;

/** People who write to a channel of each platform, and wait for the answers. */
export function channelClients(target: Target, platform: PlatformServer): Promise<readonly Client[]> {
  return Promise.all(
    CHANNEL_TYPES.map(async (type): Promise<Client> => {
      const channel = await newChannel(target, type, platform.baseUrl);
      const answers = () => platform.delivered.filter((reply) => reply.type === type).length;
      let asked = 0;
      return {
        name: `message on ${type}`,
        everyMs: 5_000,
        act: async () => {
          asked += 1;
          await postWebhook(target, channel, {
            text: 'When are you open?',
            conversation: String(asked % CONVERSATIONS),
          });
          await until(async () => answers() >= asked);
        },
      };
    }),
  );
}

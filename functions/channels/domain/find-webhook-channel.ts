import { CHANNEL_ID, type Channel, isChannelType } from './channel.ts';
import type { Channels } from './channel-ports.ts';

/** Why a webhook is for no channel. */
export type WebhookRefusal = 'unknown_type' | 'wrong_channel_id' | 'not_configured' | 'ambiguous';

export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
  readonly refusal: WebhookRefusal;

  constructor(refusal: WebhookRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/**
 * The channel that a webhook is for: the one that it names, or the only one of its type.
 * @throws WebhookRefused
 */
export async function findWebhookChannel(
  type: string,
  channelId: string | undefined,
  channels: Pick<Channels, 'find' | 'idsOfType'>,
): Promise<Channel> {
  if (!isChannelType(type))
    throw new WebhookRefused(
      'unknown_type',
      'There is no channel type of this name. Check the address of the webhook.',
    );
  if (channelId !== undefined && !CHANNEL_ID.test(channelId))
    throw new WebhookRefused(
      'wrong_channel_id',
      'Something is wrong in the query. channel: must be the id of a channel.',
    );
  const ids = channelId === undefined ? await channels.idsOfType(type, 2) : [channelId];
  if (ids.length > 1)
    throw new WebhookRefused(
      'ambiguous',
      `There are several channels of the type ${type}. Add ?channel=<channel id> to the address of the webhook.`,
    );
  const [id] = ids;
  const channel = id === undefined ? null : await channels.find(id);
  if (channel === null || channel.type !== type || channel.status !== 'active')
    throw new WebhookRefused('not_configured', `No channel of the type ${type} is configured here.`);
  return channel;
}

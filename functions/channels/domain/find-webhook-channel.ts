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

/** Of a webhook that names no channel: those that are looked at, the oldest first. Disabled ones are passed over. */
const MAX_UNNAMED = 10;

export interface FoundChannel {
  readonly channel: Channel;
  /** Where the signature is not that of `channel`: why it may be for another one. Null: it can be for no other. */
  readonly otherwise: WebhookRefused | null;
}

/**
 * The channel that a webhook addresses: the named one, or the oldest active one of its type. Adding a channel of the same type therefore
 * cannot take over an unnamed address.
 * @throws WebhookRefused
 */
export async function findWebhookChannel(
  type: string,
  channelId: string | undefined,
  channels: Pick<Channels, 'find' | 'idsOfType'>,
): Promise<FoundChannel> {
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
  const ids = channelId === undefined ? await channels.idsOfType(type, MAX_UNNAMED) : [channelId];
  for (const id of ids) {
    const channel = await channels.find(id);
    if (channel?.type === type && channel.status === 'active')
      return { channel, otherwise: ids.length > 1 ? ambiguous(type) : null };
  }
  throw new WebhookRefused('not_configured', `No channel of the type ${type} is configured here.`);
}

function ambiguous(type: string): WebhookRefused {
  return new WebhookRefused(
    'ambiguous',
    `There are several channels of the type ${type}, and the signature is not that of the oldest. Add ?channel=<channel id> to the address of the webhook.`,
  );
}

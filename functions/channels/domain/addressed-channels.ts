import type { Channel } from './channel.ts';
import type { Channels } from './channel-ports.ts';
import type { ChannelSecrets } from './delivery/delivery-ports.ts';
import type { ChannelAccess, TokenVerifier, WebhookRequest } from './platforms/platform.ts';
import { platforms } from './platforms/platforms.ts';

/** Of a workspace: those that are looked at, the newest first. */
const MAX_CHANNELS = 100;

export interface AddressedChannelsPorts {
  readonly channels: Pick<Channels, 'list'>;
  readonly secrets: ChannelSecrets;
  readonly tokens: TokenVerifier;
}

export interface AddressedChannel {
  readonly channel: Channel;
  readonly access: ChannelAccess;
}

/**
 * The channels of the workspace that a verified webhook has messages for: an app of WhatsApp has one address for all its
 * numbers, and a channel for each. The signature must be that of each of them.
 */
export async function addressedChannels(
  verified: AddressedChannel & { readonly request: WebhookRequest },
  { channels, secrets, tokens }: AddressedChannelsPorts,
): Promise<readonly AddressedChannel[]> {
  const { channel, access, request } = verified;
  const { addressees } = platforms[channel.type];
  if (addressees === undefined) return [{ channel, access }];
  const found = [{ channel, access }];
  const sought = new Set(addressees.of(request).filter((id) => id !== channel.settings[addressees.setting]));
  if (sought.size === 0) return found;
  for (const other of await channels.list(channel.workspaceId, MAX_CHANNELS, null)) {
    const id = other.settings[addressees.setting] ?? '';
    if (other.type !== channel.type || other.status !== 'active' || !sought.has(id)) continue;
    const opened = await secrets.open(other, request.nowMs);
    if (!(await platforms[other.type].verify(request, opened, tokens))) continue;
    sought.delete(id);
    found.push({ channel: other, access: opened });
  }
  return found;
}

import { channelSecretContext } from '../../channels/domain/channel.ts';
import type { ChannelSecrets } from '../../channels/domain/delivery/delivery-ports.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';

/** Opens the sealed secrets of a channel; those before a rotation for as long as they are valid. */
export function sealedChannelSecrets(box: Pick<SecretBox, 'open'>): ChannelSecrets {
  return {
    async open(channel, nowMs) {
      const context = channelSecretContext(channel);
      const opened = await Promise.all(
        Object.entries(channel.secrets).map(async ([name, { sealed, previous }]) => {
          const valid = [sealed, ...(previous !== null && previous.validUntilMs > nowMs ? [previous.sealed] : [])];
          return [name, await Promise.all(valid.map((each) => box.open(each, context)))] as const;
        }),
      );
      const values = new Map(opened);
      return {
        settings: channel.settings,
        secret: (name) => values.get(name)?.[0] ?? '',
        validSecrets: (name) => values.get(name) ?? [],
      };
    },
  };
}

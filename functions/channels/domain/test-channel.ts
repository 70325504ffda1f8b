import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { ChannelId } from './channel.ts';
import type { ChannelSecrets, Sender } from './delivery/delivery-ports.ts';
import { findChannel, type ManagePorts } from './manage-channels.ts';
import { platforms } from './platforms/platforms.ts';
import type { SendOutcome } from './platforms/send-outcome.ts';

export interface TestPorts extends Pick<ManagePorts, 'channels'> {
  readonly secrets: ChannelSecrets;
  readonly sender: Sender;
  readonly ids: Ids;
  readonly clock: Clock;
}

export interface TestMessage {
  /** Place of the conversation, as the platform names it. */
  readonly to: string;
  readonly text: string;
}

/**
 * Sends one message as replies are sent, once and at once: in no queue, past the circuit breaker, and also where the channel is disabled.
 * @throws ChannelRefused
 */
export async function testChannel(
  id: ChannelId,
  { to, text }: TestMessage,
  { secrets, sender, ids, clock, ...ports }: TestPorts,
): Promise<SendOutcome> {
  const channel = await findChannel(id, ports);
  const platform = platforms[channel.type];
  const access = await secrets.open(channel, clock.now());
  const target = platform.placeOf(to, access);
  const { channelId } = channel;
  const part = { id: ids.next('tst'), texts: [text], target, channelId, conversationId: to, index: 1, previous: null };
  return sender.send(platform, part, access);
}

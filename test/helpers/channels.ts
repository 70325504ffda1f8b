import * as z from 'zod';
import type { ChannelType } from '../../functions/channels/domain/channel.ts';
import { channel, deadLetterPage, replayResult, webhookStatus } from '../../functions/channels/schemas.ts';
import { type PlayedMessage, playedPlatforms } from '../../local/played-platforms/webhooks.ts';
import { call } from './api.ts';
import { createApplication, dataOf, type Service } from './chat.ts';

export const CHANNELS_PATH = '/api/v1/channels';
export const webhookPath = (type: string, channelId?: string) =>
  `/api/v1/webhooks/handle/${type}${channelId === undefined ? '' : `?channel=${channelId}`}`;

/** Posts anything to the webhook of a channel, or of a type. */
export const webhookPost =
  (service: Service) =>
  async (
    { type, id }: { readonly type: string; readonly id?: string },
    headers: Readonly<Record<string, string>>,
    body: string,
  ) =>
    call(service, 'POST', webhookPath(type, id), { key: null, headers, raw: body });

export type ShownChannel = z.output<typeof channel>;

let channelsMade = 0;

/** A channel of a type on the played platform, with a new application that answers by quoting files. */
export async function createChannel(
  service: Service,
  type: ChannelType,
  baseUrl: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<ShownChannel> {
  channelsMade += 1;
  const { secrets, settings } = playedPlatforms[type];
  const application_id = body.application_id ?? (await createApplication(service, { type: 'channel' })).id;
  return dataOf(
    await call(service, 'POST', CHANNELS_PATH, {
      body: { name: `Channel ${channelsMade}`, type, secrets, settings: settings(baseUrl), ...body, application_id },
    }),
    channel.strict(),
  );
}

/** Posts a webhook as the platform does. */
export async function sendMessage(
  service: Pick<Service, 'baseUrl'>,
  { type, id }: Pick<ShownChannel, 'type' | 'id'>,
  message: PlayedMessage,
  baseUrl: string,
): Promise<Response> {
  const { headers, body } = await playedPlatforms[type].webhook(message, { baseUrl, nowMs: Date.now() });
  return fetch(service.baseUrl + webhookPath(type, id), { method: 'POST', headers, body });
}

export async function deadLetters(service: Service, query = '') {
  const answer = await call(service, 'GET', `/api/v1/dead-letters${query}`);
  return dataOf(answer, z.strictObject(deadLetterPage.shape)).dead_letters;
}

export async function replay(service: Service, body: object) {
  return dataOf(await call(service, 'POST', '/api/v1/dead-letters/replay', { body }), replayResult.strict());
}

export async function status(service: Service, type: ChannelType) {
  const { platforms } = dataOf(await call(service, 'GET', '/api/v1/webhooks/status'), webhookStatus.strict());
  return platforms.find((platform) => platform.type === type)!;
}

const POLL_MS = 20;

/** The value once it is there. @throws Error after a minute. */
export async function eventually<T>(
  read: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += POLL_MS) {
    const value = await read();
    if (value !== null && value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('It did not come about within a minute.');
}

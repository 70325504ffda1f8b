import type { ChannelType } from '../functions/channels/domain/channel.ts';
import { type PlayedMessage, playedPlatforms } from '../local/played-platforms/webhooks.ts';

/** A service, and whose workspace in it. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

/** A channel on a platform that is played on this machine. */
export interface PlayedChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly baseUrl: string;
}

/**
 * Makes a channel with its own application.
 * @param baseUrl of the server that plays the platform
 * @param config of the application
 */
export async function newChannel(
  target: Target,
  type: ChannelType,
  baseUrl: string,
  config: object = {},
): Promise<PlayedChannel> {
  const name = `Bench ${type} ${performance.now()}`;
  const application = (await api(target, 'POST', '/api/v1/applications', {
    name,
    type: 'channel',
    config,
  })) as { id: string };
  const { secrets, settings } = playedPlatforms[type];
  const body = { name, type, application_id: application.id, secrets, settings: settings(baseUrl) };
  const { id } = (await api(target, 'POST', '/api/v1/channels', body)) as { id: string };
  return { id, type, baseUrl };
}

/** Posts a webhook as the platform does. @throws Error unless it is accepted */
export async function postWebhook(
  { url }: Pick<Target, 'url'>,
  { id, type, baseUrl }: PlayedChannel,
  message: PlayedMessage,
): Promise<void> {
  const { headers, body } = await playedPlatforms[type].webhook(message, { baseUrl, nowMs: Date.now() });
  const path = `/api/v1/webhooks/handle/${type}?channel=${id}`;
  const response = await fetch(url + path, { method: 'POST', headers, body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`A webhook of ${type} was answered with ${response.status}`);
}

/** @returns `data` of the answer. @throws Error for an answer that is not a success */
export async function api({ url, apiKey }: Target, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: unknown };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

import type { HttpRequest, RawBody } from '../shared/http/api-request.ts';
import type { Authenticator } from '../shared/http/authenticate.ts';
import { Problem } from '../shared/http/problem.ts';
import type { Principal } from '../shared/principal.ts';
import type { Channel } from './domain/channel.ts';
import type { Channels } from './domain/channel-ports.ts';
import type { ChannelSecrets } from './domain/delivery/delivery-ports.ts';
import { findWebhookChannel, WebhookRefused } from './domain/find-webhook-channel.ts';
import { faultOf, type InboundHealths, type WebhookFault } from './domain/inbound-health.ts';
import type { ChannelAccess, TokenVerifier, WebhookRequest } from './domain/platforms/platform.ts';
import { platforms } from './domain/platforms/platforms.ts';
import { noHandshake, toProblem, webhookTooLarge } from './http-errors.ts';
import { MAX_WEBHOOK_BYTES } from './routes.ts';

/** A webhook whose signature was right. */
export interface VerifiedWebhook {
  readonly channel: Channel;
  readonly access: ChannelAccess;
  readonly request: WebhookRequest;
  /** The response to a GET's handshake; empty for a POST. */
  readonly challenge: string;
}

export interface WebhookPorts {
  readonly channels: Pick<Channels, 'find' | 'recent' | 'idsOfType'>;
  readonly secrets: ChannelSecrets;
  readonly tokens: TokenVerifier;
  readonly healths: Pick<InboundHealths, 'record'>;
  readonly onUnrecorded: (channelId: string, error: unknown) => void;
  readonly clock: { now(): number };
}

/** Verifies platforms' signatures over whole requests, and keeps what it read for the request's handler. */
export class WebhookAuthenticator implements Authenticator {
  readonly #ports: WebhookPorts;
  readonly #verified = new WeakMap<RawBody, VerifiedWebhook>();

  constructor(ports: WebhookPorts) {
    this.#ports = ports;
  }

  /** Every request counts as signed; the platform's verification reports a missing signature. */
  find() {
    return { rank: 'signature', text: '' } as const;
  }

  /** @throws Problem where there is no such channel, before any signature is looked at */
  async verify(_: string, request: HttpRequest): Promise<Principal | null> {
    const { channels, clock } = this.#ports;
    const { channel_type: type = '' } = request.pathParameters;
    const { channel: channelId } = request.queryParameters;
    const recent = channelId === undefined ? null : channels.recent(channelId);
    const known = recent?.type === type ? await this.#verifyFor(recent, request) : null;
    if (known !== null) return known;
    // It may have another secret by now.
    const { channel, otherwise } = await findWebhookChannel(type, channelId, channels).catch((error: unknown) => {
      throw error instanceof WebhookRefused ? toProblem(error) : error;
    });
    const verified = await this.#verifyFor(channel, request);
    if (verified === null && otherwise !== null) throw toProblem(otherwise);
    if (verified === null && request.method === 'POST')
      await this.#record(channel, faultOf(platforms[channel.type], { headers: request.headers, nowMs: clock.now() }));
    return verified;
  }

  async #verifyFor(channel: Channel, request: HttpRequest): Promise<Principal | null> {
    const { secrets, clock } = this.#ports;
    const body = request.body.bytes();
    if (body.length > MAX_WEBHOOK_BYTES) throw webhookTooLarge();
    const nowMs = clock.now();
    const access = await secrets.open(channel, nowMs);
    const webhook: WebhookRequest = { headers: request.headers, query: request.queryParameters, body, nowMs };
    const challenge = await this.#checked(request.method, channel, webhook, access);
    if (challenge === null) return null;
    if (request.method === 'POST') await this.#record(channel, null);
    this.#verified.set(request.body, { channel, access, request: webhook, challenge });
    const { workspaceId, channelId: id } = channel;
    return { kind: 'channel', id, workspaceId, role: 'admin', scopes: ['chat'] };
  }

  /** A webhook is taken, or refused, whether or not that can be recorded. */
  async #record({ channelId }: Channel, fault: WebhookFault | null): Promise<void> {
    const { healths, onUnrecorded } = this.#ports;
    await healths.record(channelId, fault).catch((error: unknown) => onUnrecorded(channelId, error));
  }

  /** The webhook of a request that was verified. */
  verified(body: RawBody): VerifiedWebhook {
    const webhook = this.#verified.get(body);
    if (webhook === undefined) throw new Problem(401, 'invalid_key', 'The signature was not verified.');
    return webhook;
  }

  /** @returns null where the signature or the verify token is wrong. */
  async #checked(
    method: string,
    { type }: Channel,
    webhook: WebhookRequest,
    access: ChannelAccess,
  ): Promise<string | null> {
    const platform = platforms[type];
    if (method === 'POST') return (await platform.verify(webhook, access, this.#ports.tokens)) ? '' : null;
    if (platform.challenge === undefined) throw noHandshake();
    return platform.challenge(webhook, access);
  }
}

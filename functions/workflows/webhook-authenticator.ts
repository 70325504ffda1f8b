import type { HttpRequest, RawBody } from '../shared/http/api-request.ts';
import type { Authenticator, FoundCredential } from '../shared/http/authenticate.ts';
import { Problem } from '../shared/http/problem.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { SecretBox } from '../shared/ports/secret-box.ts';
import type { Principal } from '../shared/principal.ts';
import { isHashOf } from '../shared/secret-token.ts';
import { webhookFault } from '../shared/webhooks/standard-webhooks.ts';
import { webhookContext } from './domain/triggers/manage-triggers.ts';
import type { Trigger } from './domain/triggers/trigger.ts';
import type { Triggers } from './domain/triggers/trigger-ports.ts';

const REFUSALS = {
  header:
    'webhook-id, webhook-timestamp or webhook-signature is missing. Send these three headers, as Standard Webhooks has them.',
  time: 'webhook-timestamp is not within 5 minutes of the time here. Send the seconds since 1970, and check the clock of the sender.',
  signature:
    'webhook-signature does not fit. Sign "<webhook-id>.<webhook-timestamp>.<body>" with the secret of the trigger, over the body as it is sent.',
  token: 'The secret in the address is missing or wrong. Use the url of the trigger as it was shown.',
} as const;

interface Ports {
  readonly triggers: Pick<Triggers, 'findWebhook'>;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly clock: Clock;
}

/** A trigger that a webhook was proven to be for, and the headers that the proof covers no less than the body. */
export interface VerifiedWebhook {
  readonly trigger: Trigger;
  readonly headers: HttpRequest['headers'];
}

/** Senders of webhooks, by their signature or by the secret in the address. Their limits are those of the trigger. */
export class WebhookAuthenticator implements Authenticator {
  readonly #ports: Ports;
  readonly #verified = new WeakMap<RawBody, VerifiedWebhook>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  find(): FoundCredential {
    return { rank: 'signature', text: '' };
  }

  async verify(_: string, { pathParameters, headers, body }: HttpRequest): Promise<Principal | null> {
    const [triggerId = '', token] = (pathParameters.trigger ?? '').split('.');
    const trigger = await this.#ports.triggers.findWebhook(triggerId);
    if (trigger?.source.kind !== 'webhook')
      throw new Problem(404, 'trigger_not_found', 'Webhook not found. Check the address, or create its trigger again.');
    const fault = await this.#faultOf(trigger, token, headers, body);
    if (fault !== null) throw new Problem(401, 'invalid_key', REFUSALS[fault]);
    this.#verified.set(body, { trigger, headers });
    return { kind: 'channel', id: triggerId, workspaceId: trigger.workspaceId, role: 'admin', scopes: ['chat'] };
  }

  /** @throws Error for a request that was not verified here */
  verified(body: RawBody): VerifiedWebhook {
    const found = this.#verified.get(body);
    if (!found) throw new Error('The webhook was not verified.');
    return found;
  }

  async #faultOf(
    trigger: Trigger,
    token: string | undefined,
    headers: HttpRequest['headers'],
    body: RawBody,
  ): Promise<keyof typeof REFUSALS | null> {
    const { source } = trigger;
    if (source.kind !== 'webhook') return 'token';
    const { auth } = source;
    if (auth.kind === 'token') return token !== undefined && isHashOf(auth.tokenHash, token) ? null : 'token';
    const secret = await this.#ports.secrets.open(auth.sealedSecret, webhookContext(trigger));
    return webhookFault(headers, body.bytes(), [secret], this.#ports.clock.now());
  }
}

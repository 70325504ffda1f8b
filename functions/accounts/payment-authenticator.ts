import type { Authenticator } from '../shared/http/authenticate.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { isSignedWebhook } from '../shared/webhooks/standard-webhooks.ts';

/** Signatures of a payment provider's webhooks, as Standard Webhooks has them. @param secret `whsec_` and base64 */
export function paymentAuthenticator(secret: () => Promise<string>, clock: Clock): Authenticator {
  return {
    find: () => ({ rank: 'signature', text: '' }),
    async verify(_, { headers, body }) {
      if (!isSignedWebhook(headers, body.bytes(), [await secret()], clock.now())) return null;
      // The signed body names the workspace.
      return { kind: 'channel', id: 'payments', workspaceId: '', role: 'owner', scopes: [] };
    },
  };
}

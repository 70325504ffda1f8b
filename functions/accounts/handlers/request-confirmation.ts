import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { confirmationPorts } from '../../wiring/accounts/auth.ts';
import { requestConfirmationRoute } from '../auth-routes.ts';
import { requestConfirmation } from '../domain/confirm-email.ts';

const ports = confirmationPorts();

const endpoint = pipeline(requestConfirmationRoute, http, async ({ principal }) => {
  await requestConfirmation(principal.id, ports);
  return envelopeReply(202, null, 'A mail with the link is on its way to you.');
});

export const handler = bufferedHandler(endpoint);

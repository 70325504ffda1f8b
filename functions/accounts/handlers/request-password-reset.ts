import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { passwordPorts } from '../../wiring/accounts/auth.ts';
import { requestPasswordResetRoute } from '../auth-routes.ts';
import { requestReset } from '../domain/change-password.ts';

const ports = passwordPorts();

const endpoint = pipeline(requestPasswordResetRoute, http, async ({ body }) => {
  await requestReset(body.email, ports);
  return envelopeReply(202, null, 'If the address is registered, a mail is on its way to it.');
});

export const handler = bufferedHandler(endpoint);

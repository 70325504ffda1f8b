import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { requestPasswordResetRoute } from '../auth-routes.ts';
import { passwordPorts } from '../auth-wiring.ts';
import { requestReset } from '../domain/change-password.ts';
import { http } from '../wiring.ts';

const ports = passwordPorts();

const endpoint = pipeline(requestPasswordResetRoute, http, async ({ body }) => {
  await requestReset(body.email, ports);
  return envelopeReply(202, null, 'If the address is registered, a mail is on its way to it.');
});

export const handler = bufferedHandler(endpoint);

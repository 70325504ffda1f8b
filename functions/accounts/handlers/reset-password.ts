import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { resetPorts } from '../../wiring/accounts/auth.ts';
import { originBy } from '../audit-origin.ts';
import { resetPasswordRoute } from '../auth-routes.ts';
import { resetPassword } from '../domain/change-password.ts';

const ports = resetPorts();

const endpoint = pipeline(resetPasswordRoute, http, async ({ body, ...request }) => {
  const { token, new_password: password } = body;
  await resetPassword({ token, password }, (id) => originBy({ kind: 'user', id }, request), ports);
  return envelopeReply(200, null, 'The password is set. Log in with it.');
});

export const handler = bufferedHandler(endpoint);

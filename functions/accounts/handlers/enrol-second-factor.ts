import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { secondFactorPorts } from '../../wiring/accounts/auth.ts';
import { beginEnrolment } from '../domain/second-factor.ts';
import { enrolSecondFactorRoute } from '../second-factor-routes.ts';

const ports = secondFactorPorts();

const endpoint = pipeline(enrolSecondFactorRoute, http, async ({ principal, body }) => {
  const { secret, uri } = await beginEnrolment(principal.id, body.current_password, ports);
  return envelopeReply(200, { secret, otpauth_uri: uri }, 'Scan the code, and confirm it by the first six digits.');
});

export const handler = bufferedHandler(endpoint);

import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { secondFactorPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { disableSecondFactor } from '../domain/second-factor.ts';
import { disableSecondFactorRoute } from '../second-factor-routes.ts';

const ports = secondFactorPorts();

const endpoint = pipeline(disableSecondFactorRoute, http, async ({ body, ...request }) => {
  const { id: userId, workspaceId } = request.principal;
  const proof = { password: body.current_password, code: body.code };
  await disableSecondFactor({ userId, workspaceId }, proof, originOf(request), ports);
  return envelopeReply(200, null, 'The second factor is off.');
});

export const handler = bufferedHandler(endpoint);

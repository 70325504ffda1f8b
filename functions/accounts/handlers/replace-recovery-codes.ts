import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { secondFactorPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { replaceRecoveryCodes } from '../domain/second-factor.ts';
import { replaceRecoveryCodesRoute } from '../second-factor-routes.ts';

const ports = secondFactorPorts();

const endpoint = pipeline(replaceRecoveryCodesRoute, http, async ({ body, ...request }) => {
  const { id: userId, workspaceId } = request.principal;
  const codes = await replaceRecoveryCodes({ userId, workspaceId }, body.code, originOf(request), ports);
  return envelopeReply(200, { recovery_codes: [...codes] }, 'Keep the recovery codes: they are not shown again.');
});

export const handler = bufferedHandler(endpoint);

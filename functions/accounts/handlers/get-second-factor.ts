import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { secondFactorPorts } from '../../wiring/accounts/auth.ts';
import { getSecondFactorRoute } from '../second-factor-routes.ts';

const { factors, requiresSecondFactor } = secondFactorPorts();

const endpoint = pipeline(getSecondFactorRoute, http, async ({ principal: { id, workspaceId } }) => {
  const [factor, isRequired] = await Promise.all([factors.find(id), requiresSecondFactor(workspaceId)]);
  const data = {
    is_on: factor?.isOn ?? false,
    is_required: isRequired,
    confirmed_at: factor?.confirmedAt ?? null,
    recovery_codes_left: factor?.recoveryHashes.length ?? 0,
  };
  return envelopeReply(200, data, 'Your second factor.');
});

export const handler = bufferedHandler(endpoint);

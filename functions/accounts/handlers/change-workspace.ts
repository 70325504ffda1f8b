import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workspacePorts } from '../../wiring/accounts/accounts.ts';
import { secondFactorPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { changeWorkspace } from '../domain/manage-workspace.ts';
import { endSessionsWithoutFactor, requireOwnFactor } from '../domain/second-factor.ts';
import { toWorkspaceResponse } from '../workspace-responses.ts';
import { changeWorkspaceRoute } from '../workspace-routes.ts';

const ports = workspacePorts();
const factorPorts = secondFactorPorts();

const endpoint = pipeline(changeWorkspaceRoute, http, async ({ body, ...request }) => {
  const { name, retention_days, keep_no_images, keep_images, mask_resident_numbers, require_second_factor } = body;
  const change = {
    ...(name !== undefined && { name }),
    ...(retention_days !== undefined && { retentionDays: retention_days }),
    ...(keep_no_images !== undefined && { keepNoImages: keep_no_images }),
    ...(keep_images !== undefined && { keepImages: keep_images }),
    ...(mask_resident_numbers !== undefined && { maskResidentNumbers: mask_resident_numbers }),
    ...(require_second_factor !== undefined && { requiresSecondFactor: require_second_factor }),
  };
  const { principal } = request;
  if (require_second_factor) await requireOwnFactor(principal, factorPorts);
  const changed = await changeWorkspace(principal.workspaceId, change, originOf(request), ports);
  // Also where it was required before: an earlier call may have been cut short.
  if (require_second_factor) await endSessionsWithoutFactor(principal.workspaceId, factorPorts);
  return envelopeReply(200, toWorkspaceResponse(changed), 'It holds from the next request on.');
});

export const handler = bufferedHandler(endpoint);

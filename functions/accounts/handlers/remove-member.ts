import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { originOf } from '../audit-origin.ts';
import { removeMemberRoute } from '../auth-routes.ts';
import { memberPorts } from '../auth-wiring.ts';
import { removeMember } from '../domain/members.ts';
import { http } from '../wiring.ts';

const ports = memberPorts();

const endpoint = pipeline(removeMemberRoute, http, async ({ params, ...request }) => {
  await removeMember(request.principal.workspaceId, params.id, originOf(request), ports);
  return envelopeReply(200, null, 'Removed.');
});

export const handler = bufferedHandler(endpoint);

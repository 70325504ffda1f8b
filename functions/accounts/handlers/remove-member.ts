import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { memberPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { removeMember } from '../domain/members.ts';
import { removeMemberRoute } from '../member-routes.ts';

const ports = memberPorts();

const endpoint = pipeline(removeMemberRoute, http, async ({ params, ...request }) => {
  await removeMember(request.principal.workspaceId, params.id, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);

import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { memberPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { toMemberResponse } from '../auth-responses.ts';
import { changeRole, memberOf } from '../domain/members.ts';
import { changeMemberRoute } from '../member-routes.ts';

const ports = memberPorts();

const endpoint = pipeline(changeMemberRoute, http, async ({ params, body, ...request }) => {
  const member = await memberOf(request.principal.workspaceId, params.id, ports.users);
  const changed = await changeRole(member, body.role, originOf(request), ports);
  return envelopeReply(200, toMemberResponse(changed), 'The role counts from the next request on.');
});

export const handler = bufferedHandler(endpoint);

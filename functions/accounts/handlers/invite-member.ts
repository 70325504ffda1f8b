import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { memberPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { toInvitationResponse } from '../auth-responses.ts';
import { invite } from '../domain/members.ts';
import { inviteMemberRoute } from '../member-routes.ts';

const ports = memberPorts();

const endpoint = pipeline(inviteMemberRoute, http, async ({ body, ...request }) => {
  const { workspaceId } = request.principal;
  const invitation = await invite({ workspaceId, ...body }, originOf(request), ports);
  return envelopeReply(201, toInvitationResponse(invitation), 'The invitation is on its way by e-mail.');
});

export const handler = bufferedHandler(endpoint);

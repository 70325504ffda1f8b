import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { clock, members } from '../../wiring/accounts/auth.ts';
import { toInvitationResponse, toMemberResponse } from '../auth-responses.ts';
import { listMembersRoute } from '../member-routes.ts';

const stored = members();

const endpoint = pipeline(listMembersRoute, http, async ({ principal: { workspaceId } }) => {
  const [users, invitations] = await Promise.all([stored.list(workspaceId), stored.invitations(workspaceId)]);
  const waiting = invitations.filter(({ expiresAtMs }) => expiresAtMs > clock.now());
  const data = { members: users.map(toMemberResponse), invitations: waiting.map(toInvitationResponse) };
  return envelopeReply(200, data, 'OK');
});

export const handler = bufferedHandler(endpoint);

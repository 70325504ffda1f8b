import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { accounts, http } from '../../wiring/accounts/accounts.ts';
import { users } from '../../wiring/accounts/auth.ts';
import { toUserResponse } from '../auth-responses.ts';
import { getMeRoute } from '../auth-routes.ts';

const workspaces = accounts();
const stored = users();

const endpoint = pipeline(getMeRoute, http, async ({ principal }) => {
  const { workspaceId, kind, id, role, scopes } = principal;
  const [user, name] = await Promise.all([kind === 'user' ? stored.find(id) : null, workspaces.nameOf(workspaceId)]);
  const data = {
    user: user && toUserResponse(user),
    workspace: { id: workspaceId, name: name ?? workspaceId },
    role,
    scopes,
  };
  return envelopeReply(200, data, 'OK');
});

export const handler = bufferedHandler(endpoint);

import { dayOf } from '../../accounts/domain/usage.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { accessTokenStore, applications, budgetPorts, http } from '../../wiring/chat/chat.ts';
import { toAccessTokenResponse } from '../access-tokens/responses.ts';
import { listAccessTokensRoute } from '../access-tokens/routes.ts';
import { findApplication } from '../domain/manage-applications.ts';

const ports = { applications: applications(), tokens: accessTokenStore(), ...budgetPorts() };

const endpoint = pipeline(listAccessTokensRoute, http, async ({ principal, params }) => {
  const id = { workspaceId: principal.workspaceId, applicationId: params.id };
  const [tokens] = await Promise.all([ports.tokens.list(id), findApplication(id, ports)]);
  const oldestFirst = tokens.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const spent = await ports.budgets.spent(
    oldestFirst.map(({ tokenId }) => tokenId),
    dayOf(ports.clock.now()),
  );
  const access_tokens = oldestFirst.map((token, i) => ({ ...toAccessTokenResponse(token), used_today: spent[i]! }));
  return envelopeReply(200, { access_tokens }, 'Access tokens, oldest first.');
});

export const handler = bufferedHandler(endpoint);

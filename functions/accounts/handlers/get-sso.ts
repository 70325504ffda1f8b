import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { identityProviders } from '../../wiring/accounts/auth.ts';
import { providerOf } from '../domain/manage-identity-provider.ts';
import { toSsoResponse } from '../sso-responses.ts';
import { getSsoRoute } from '../sso-routes.ts';

const ports = { providers: identityProviders() };

const endpoint = pipeline(getSsoRoute, http, async ({ principal }) =>
  envelopeReply(200, toSsoResponse(await providerOf(principal.workspaceId, ports)), 'Single sign-on.'),
);

export const handler = bufferedHandler(endpoint);

import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { cookies } from '../../wiring/accounts/auth.ts';
import { signInPorts } from '../../wiring/accounts/sso.ts';
import { beginSignIn, FLOW_SECONDS } from '../domain/sign-in.ts';
import { setSignInCookie } from '../session-cookies.ts';
import { isBrowser } from '../session-reply.ts';
import { beginSignInRoute } from '../sso-routes.ts';

const ports = signInPorts();
const allowedOrigins = http.corsOrigins();

const endpoint = pipeline(beginSignInRoute, http, async ({ headers, body, baseUrl }) => {
  // The page that the browser comes back to is of the origin that it left, which the provider has to know as well.
  const origin = isBrowser(headers, { baseUrl, allowedOrigins }) ? headers.origin : undefined;
  const redirectUri = `${origin ?? baseUrl}/sso`;
  const { authorizationUrl, state, browserSecret } = await beginSignIn({ ...body, redirectUri }, ports);
  const reply = envelopeReply(200, { authorization_url: authorizationUrl }, 'Continue at your identity provider.');
  return { ...reply, cookies: [setSignInCookie(state, browserSecret, FLOW_SECONDS, cookies())] };
});

export const handler = bufferedHandler(endpoint);

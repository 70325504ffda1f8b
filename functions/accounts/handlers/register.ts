import { createHash } from 'node:crypto';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { rateLimited } from '../../shared/http/rate-limits.ts';
import { addressSubject } from '../../shared/limits/address-subject.ts';
import type { FreeWork } from '../../shared/limits/free-work.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import {
  cookies,
  registeredAddress,
  registerPorts,
  registrationBudget,
  registrationMails,
  requireRegistration,
} from '../../wiring/accounts/auth.ts';
import { loginAudit } from '../audit-logins.ts';
import { toRegisteredResponse } from '../auth-responses.ts';
import { registerRoute } from '../auth-routes.ts';
import { register } from '../domain/register.ts';
import { rememberAddress } from '../known-address.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';

const ports = registerPorts();

const READY = 'The workspace is ready. Keep the API key: it is shown this once.';
const TO_BE_CONFIRMED =
  'The workspace is made. Keep the API key: it is shown this once. Confirm your address by the link in your mail, within ' +
  'seven days: until then nothing can be run or changed.';

const allowedOrigins = http.corsOrigins();
const { recordLogin } = loginAudit(auditPorts());

const endpoint = pipeline(registerRoute, http, async ({ headers, body, baseUrl, ...request }) => {
  requireRegistration();
  const address = registeredAddress();
  const { email, password, workspace_name: workspaceName } = body;
  if (address === 'to-be-confirmed') await takeOf(registrationBudget(), addressSubject(request.sourceAddress));
  const isMailed = address !== 'to-be-confirmed' || (await registrationMails().take(hashOf(email))) === 0;
  const { tokens, cookie, ...registered } = await register(
    {
      email,
      password,
      workspaceName,
      address,
      isMailed,
      isBrowser: isBrowser(headers, { baseUrl, allowedOrigins }),
      client: clientOf(request),
    },
    ports,
  );
  const { owner } = registered.workspace;
  recordLogin('workspace.created', owner, request);
  const data = toRegisteredResponse(registered, tokens);
  if (address === 'unproved') {
    rememberAddress(owner, request, http.limits());
    return withSession(envelopeReply(201, data, READY), cookie, cookies());
  }
  return withSession(envelopeReply(201, data, TO_BE_CONFIRMED), cookie, cookies());
});

/** The counters hold no addresses. */
function hashOf(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}

/** @throws Problem 429 */
async function takeOf(budget: FreeWork, from: string): Promise<void> {
  const seconds = await budget.take(from);
  if (seconds > 0) throw rateLimited(seconds, { 'retry-after': String(seconds) });
}

export const handler = bufferedHandler(endpoint);

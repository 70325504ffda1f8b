import { httpRequest } from '../functions/shared/http/api-request.ts';
import { type Authenticators, authenticate, authorize, claimOf } from '../functions/shared/http/authenticate.ts';
import { refuseEarlyReturn } from '../functions/shared/http/rate-limits.ts';
import type { LimitPorts } from '../functions/shared/limits/take-tokens.ts';
import type { GatewayOptions } from '../gateway/gateway.ts';

/** Beyond this, to check the credential first costs less than reading in vain. */
const LARGE_BODY_BYTES = 256 * 1024;

/**
 * Large bodies are read only for clients with a valid credential, and only after any Retry-After: otherwise anyone could fill the memory,
 * or keep the processor busy with refused requests. The handler checks both again.
 */
export function screenLargeBodies(
  authenticators: Authenticators,
  { refusals }: Pick<LimitPorts, 'refusals'>,
): NonNullable<GatewayOptions['screen']> {
  return async (route, head, bodyBytes) => {
    if (bodyBytes !== null && bodyBytes <= LARGE_BODY_BYTES) return null;
    // A route with a lower limit never reads that far.
    if ((route.bodyLimit?.maxBytes ?? Number.POSITIVE_INFINITY) <= LARGE_BODY_BYTES) return null;
    const request = httpRequest(head, {
      awsRequestId: head.requestContext.requestId,
      deadlineMs: Date.now() + route.limits.timeoutSeconds * 1000,
      signal: new AbortController().signal,
      // The handler does it again, and says so when it fails.
      background: (work) => void work.catch(() => undefined),
    });
    const claim = claimOf(route, request, authenticators);
    if (claim?.caller) refuseEarlyReturn(route, claim.caller, refusals);
    const principal = await authenticate(route, claim);
    if (principal) authorize(principal, route);
    return principal?.workspaceId ?? null;
  };
}

import { httpRequest } from '../functions/shared/http/api-request.ts';
import { type Authenticators, authenticate, authorize, claimOf } from '../functions/shared/http/authenticate.ts';
import { refuseEarlyReturn } from '../functions/shared/http/rate-limits.ts';
import type { LimitPorts } from '../functions/shared/limits/take-tokens.ts';
import type { GatewayOptions } from '../gateway/gateway.ts';

/** Beyond this, to check the credential first costs less than reading in vain. */
const LARGE_BODY_BYTES = 256 * 1024;

/**
 * Large bodies are read for clients with a valid credential only, and not before the time that a limit told them to wait: otherwise
 * anyone could fill the memory, or keep the processor busy with what is refused. The handler checks both all the same.
 */
export function screenLargeBodies(
  authenticators: Authenticators,
  { refusals }: Pick<LimitPorts, 'refusals'>,
): NonNullable<GatewayOptions['screen']> {
  return async (route, head, bodyBytes) => {
    if (bodyBytes !== null && bodyBytes <= LARGE_BODY_BYTES) return;
    // What has a lower limit of its own is never read as far as that.
    if ((route.bodyLimit?.maxBytes ?? Number.POSITIVE_INFINITY) <= LARGE_BODY_BYTES) return;
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
  };
}

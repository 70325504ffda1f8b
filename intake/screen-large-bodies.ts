import type { IncomingMessage } from 'node:http';
import type { ApiKeys } from '../functions/accounts/domain/authenticate.ts';
import { admit } from '../functions/shared/http/authentication.ts';
import { Problem } from '../functions/shared/http/problem.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { GatewayProblem } from '../local/gateway/gateway-problem.ts';
import { declaredLength, isChunked } from '../local/gateway/read-body.ts';

/** Beyond this, looking at the key first costs less than reading in vain. */
const LARGE_BODY_BYTES = 1024 * 1024;

/**
 * Large bodies are read for callers with a valid key only: otherwise anybody could fill the memory. The handler looks at
 * the key all the same.
 */
export function screenLargeBodies(keys: ApiKeys): (route: Route, request: IncomingMessage) => Promise<void> {
  return async (route, request) => {
    const isLarge = isChunked(request) || declaredLength(request) > LARGE_BODY_BYTES;
    if (!isLarge || route.auth === 'none') return;
    try {
      await admit(request.headers as Record<string, string>, route, keys);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new GatewayProblem(error.status, error.code, error.message, error.headers);
    }
  };
}

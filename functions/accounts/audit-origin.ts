import type { HttpRequest } from '../shared/http/api-request.ts';
import type { Principal } from '../shared/principal.ts';
import type { Actor, Origin } from './domain/audit.ts';

type Request = Pick<HttpRequest, 'sourceAddress' | 'userAgent' | 'requestId'>;

/** Origin of what the principal of a request does. */
export function originOf(request: Request & { readonly principal: Principal }): Origin {
  const { kind, id } = request.principal;
  if (kind === 'public-token' || kind === 'channel')
    throw new Error('A public access token can do nothing that is recorded.');
  return originBy({ kind, id }, request);
}

/** Origin of a request without a principal, such as a login: its actor is known by other means, or not at all. */
export function originBy(actor: Actor, { sourceAddress: address, userAgent, requestId }: Request): Origin {
  return { actor, address, userAgent, requestId };
}

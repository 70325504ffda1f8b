import type { HttpRequest } from '../shared/http/api-request.ts';
import { addressSubject } from '../shared/limits/address-subject.ts';
import type { LimitPorts } from '../shared/limits/take-tokens.ts';
import type { User } from './domain/user.ts';

/** Notes that the user came in from this address, so that strangers cannot lock them out there. The response does not wait. */
export function rememberAddress(
  { email }: Pick<User, 'email'>,
  { sourceAddress, background }: Pick<HttpRequest, 'sourceAddress' | 'background'>,
  { known, clock }: Pick<LimitPorts, 'known' | 'clock'>,
): void {
  if (known) background(known.remember(email, addressSubject(sourceAddress), clock.now()));
}

import { systemClock } from '../adapters/shared/system-ports.ts';
import type { HttpRequest } from '../shared/http/api-request.ts';
import { addressSubject } from '../shared/limits/address-subject.ts';
import { http } from '../wiring/accounts/accounts.ts';
import type { User } from './domain/user.ts';

/** Notes that the user came in from this address, so that strangers cannot lock them out there. The response does not wait. */
export function rememberAddress(
  { email }: Pick<User, 'email'>,
  { sourceAddress, background }: Pick<HttpRequest, 'sourceAddress' | 'background'>,
): void {
  const { known } = http.limits();
  if (known) background(known.remember(email, addressSubject(sourceAddress), systemClock.now()));
}

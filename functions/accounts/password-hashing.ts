import { randomBytes } from 'node:crypto';
import { environment } from '../shared/environment.ts';
import { type PasswordHasher, passwordHasher } from './domain/password.ts';

/** With the cost that is set, which only a local service may lower. */
export function passwordHashing(): PasswordHasher {
  const { PASSWORD_LOG2_COST, TRIPOD_LOCAL } = environment('PASSWORD_LOG2_COST', 'TRIPOD_LOCAL');
  return passwordHasher(randomBytes, TRIPOD_LOCAL ? PASSWORD_LOG2_COST : undefined);
}

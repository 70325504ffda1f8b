import type { User } from './user.ts';

export type AuthRefusal =
  | 'wrong_credentials'
  | 'invalid_refresh_token'
  | 'registration_closed'
  | 'email_taken'
  | 'already_confirmed'
  | 'invalid_link'
  | 'wrong_password'
  | 'second_factor_required'
  | 'second_factor_missing'
  | 'wrong_code'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_enforced'
  | 'session_not_found'
  | 'no_such_member'
  | 'last_owner'
  | 'member_changed';

/** A refusal of authentication. The message is for the client. */
export class AuthRefused extends Error {
  override name = 'AuthRefused';
  readonly refusal: AuthRefusal;
  /** The user whose account was meant, for the audit trail alone: the client must not learn that there is one. */
  readonly subject: Pick<User, 'userId' | 'workspaceId'> | null;

  constructor(refusal: AuthRefusal, message: string, subject: AuthRefused['subject'] = null) {
    super(message);
    this.refusal = refusal;
    this.subject = subject;
  }
}

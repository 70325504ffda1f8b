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
  | 'member_changed'
  | 'sso_not_configured'
  | 'sso_secret_missing'
  | 'sso_provider_unusable'
  | 'sso_provider_unavailable'
  | 'sso_domain_unproved'
  | 'sso_domain_taken'
  | 'sso_changed'
  | 'sso_flow_expired'
  | 'sso_denied'
  | 'sso_token_refused'
  | 'sso_email_refused'
  | 'sso_unconfirmed'
  | 'sso_identity_changed'
  | 'sso_not_invited'
  | 'sso_required';

/** A refusal of authentication. The message is for the client. */
export class AuthRefused extends Error {
  override name = 'AuthRefused';
  readonly refusal: AuthRefusal;
  /**
   * The account that was meant, for the audit trail alone: the client must not learn that there is one. `userId` is null for a person of
   * the workspace's identity provider who has none.
   */
  readonly subject: { readonly workspaceId: string; readonly userId: string | null } | null;

  constructor(refusal: AuthRefusal, message: string, subject: AuthRefused['subject'] = null) {
    super(message);
    this.refusal = refusal;
    this.subject = subject;
  }
}

export type AuthRefusal = 'wrong_credentials' | 'invalid_refresh_token' | 'registration_closed' | 'email_taken';

/** A refusal of authentication. The message is for the client. */
export class AuthRefused extends Error {
  override name = 'AuthRefused';
  readonly refusal: AuthRefusal;

  constructor(refusal: AuthRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

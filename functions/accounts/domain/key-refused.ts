export type KeyRefusal = 'invalid_request' | 'name_taken' | 'too_many_keys' | 'not_found';

/** Why an API key was not made or revoked. Nothing was changed; the message is for the client. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
  readonly refusal: KeyRefusal;

  constructor(refusal: KeyRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

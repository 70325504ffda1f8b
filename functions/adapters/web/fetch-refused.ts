/**
 * The reason why an outbound request was not made, or returned nothing usable. The message is for the caller who named the address: it
 * starts with the name of their field, says what to do, and reveals nothing about our network.
 */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
  readonly reason: FetchRefusal;

  constructor(reason: FetchRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export type FetchRefusal =
  /** No URL, or one with credentials, a scheme or a port that is not allowed; a header that HTTP does not allow. */
  | 'invalid_request'
  /** Its name leads to an address that is not on the public internet. */
  | 'not_public'
  | 'too_many_redirects'
  /** No name, no connection, no TLS, no HTTP, or it broke off. */
  | 'unreachable'
  | 'timeout'
  /** It answered, with something that was not asked for. */
  | 'bad_response'
  | 'too_large';

/**
 * Thrown by a TableReader that cannot read at the moment: too many pages wait, a service throttles, a process died. Nothing
 * was read; the same image may be sent again.
 */
export class ReaderUnavailable extends Error {
  override name = 'ReaderUnavailable';
  /** When it makes sense to try again: whole seconds, at least 1. */
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { readonly retryAfterSeconds?: number } & ErrorOptions = {}) {
    super(message, options);
    this.retryAfterSeconds = Math.max(1, Math.ceil(options.retryAfterSeconds ?? 1));
  }
}

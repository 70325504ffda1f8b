/** Reasons for which an extraction is not run, or not paid for. Refused images and addresses have errors of their own. */
export type ExtractRefusal =
  | 'invalid_request'
  | 'unknown_template'
  | 'insufficient_balance'
  /** The call was charged before, and what it read is not kept. */
  | 'result_not_kept';

/** The message is for the client; nothing was charged. */
export class ExtractRefused extends Error {
  override name = 'ExtractRefused';
  readonly refusal: ExtractRefusal;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(refusal: ExtractRefusal, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.refusal = refusal;
    this.details = details;
  }
}

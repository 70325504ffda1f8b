/** Reasons for which an extraction is not run, or not paid for. Refused images and addresses have separate errors. */
export type ExtractRefusal =
  | 'invalid_request'
  | 'unknown_template'
  | 'insufficient_balance'
  /** The call does not fit the budget that the workspace set. */
  | 'budget_used_up'
  /** The call was charged before, and what it read is not kept. */
  | 'result_not_kept';

/** The message is for the client; nothing was charged. */
export class ExtractRefused extends Error {
  override name = 'ExtractRefused';
  readonly refusal: ExtractRefusal;
  readonly details: Readonly<Record<string, unknown>>;
  /** Null: coming again does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    refusal: ExtractRefusal,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.refusal = refusal;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

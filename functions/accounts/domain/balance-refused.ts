export type BalanceRefusal = 'reference_reused' | 'operators_only' | 'unknown_workspace';

/** Why the account was not changed. The message is for the client. */
export class BalanceRefused extends Error {
  override name = 'BalanceRefused';
  readonly refusal: BalanceRefusal;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(refusal: BalanceRefusal, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.refusal = refusal;
    this.details = details;
  }
}

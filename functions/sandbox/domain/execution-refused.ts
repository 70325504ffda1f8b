export type ExecutionRefusal = 'unsupported_language' | 'invalid_syntax' | 'batch_too_large' | 'invalid_request';

/** The caller's doing: nothing has run. */
export class ExecutionRefused extends Error {
  override name = 'ExecutionRefused';
  readonly refusal: ExecutionRefusal;

  constructor(refusal: ExecutionRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** It did not come to its own end; `message` is the reason, in words for the caller. */
export class ExecutionFailed extends Error {
  override name = 'ExecutionFailed';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

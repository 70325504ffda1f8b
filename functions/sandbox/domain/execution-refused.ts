export type ExecutionRefusal = 'unsupported_language' | 'invalid_syntax' | 'batch_too_large' | 'invalid_request';

/** The request is invalid: nothing has run. */
export class ExecutionRefused extends Error {
  override name = 'ExecutionRefused';
  readonly refusal: ExecutionRefusal;

  constructor(refusal: ExecutionRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** The run did not complete; `message` is the reason, for the client. */
export class ExecutionFailed extends Error {
  override name = 'ExecutionFailed';
  /** What the program had printed until then; null: that is not known. */
  readonly output: { readonly stdout: string; readonly stderr: string } | null;

  constructor(message: string, cause?: unknown, output: ExecutionFailed['output'] = null) {
    super(message, cause === undefined ? undefined : { cause });
    this.output = output;
  }
}

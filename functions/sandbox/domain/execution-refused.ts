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
  /** The program's output up to the failure; null: unknown. */
  readonly output: { readonly stdout: string; readonly stderr: string } | null;

  constructor(message: string, cause?: unknown, output: ExecutionFailed['output'] = null) {
    super(message, cause === undefined ? undefined : { cause });
    this.output = output;
  }
}

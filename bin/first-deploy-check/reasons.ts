/** A call that was not answered as expected. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A call whose forerunner failed. */
export class NotTried extends Error {
  override name = 'NotTried';
}

/** The remedy of each status. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'The key is not of this deployment, or was revoked.',
  402: 'The balance is too small: npm run top-up -- --stage <stage>.',
  403: 'The key lacks the scope, or the firewall refuses this address.',
  404: 'The address is not that of the API, or the stack of this service is missing.',
  429: 'A limit, or the concurrency of the account, is used up: see Quotas in docs/deploy.md.',
  500: 'The log group of the service has the error under this request id.',
  502: 'The function crashed before it answered, or a model provider failed: see the log group of the service.',
  503: 'A reader, runner or function is missing or busy: see Throttles in docs/operate.md.',
  504: 'The call took longer than its limit: see SlowAnswers in docs/operate.md.',
};

/** Why a call failed, and what to look at. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof CallFailed)) return (error as Error).message;
  return [`${error.status} ${error.message}`, REMEDIES[error.status]].filter(Boolean).join(' ');
}

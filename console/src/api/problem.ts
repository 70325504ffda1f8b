/** An error of a call, in the words of the service. */
export class Problem extends Error {
  /** 0: there was no response. */
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    { fields = {}, retryAfterSeconds = null }: Partial<Pick<Problem, 'fields' | 'retryAfterSeconds'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface ErrorBody {
  readonly message?: string;
  readonly detail?: string;
  readonly error?: {
    readonly code?: string | null;
    readonly details?: { readonly fields?: Readonly<Record<string, string>> };
  };
}

export function problemOf(response: Response, body: unknown): Problem {
  const { message, detail, error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const wait = Number(response.headers.get('retry-after'));
  const [, helpCode] = /#(\w+)>; rel="help"/.exec(response.headers.get('link') ?? '') ?? [];
  return new Problem(response.status, error?.code ?? helpCode ?? '', message ?? detail ?? response.statusText, {
    fields: error?.details?.fields ?? {},
    retryAfterSeconds: wait > 0 ? wait : null,
  });
}

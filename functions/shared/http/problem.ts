import type * as z from 'zod';

interface KoreanTexts {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * An error response that the caller caused and can act on. Any other thrown value becomes a 500 that leaks nothing. `message` is for
 * people: the fault, its field and what to do.
 */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Broken rules by the fields of `details`: the texts of other languages are made from them. */
  readonly issues: ReadonlyMap<string, z.core.$ZodIssue> | undefined;
  /** Texts in Korean that say more than those of the code. */
  readonly korean: KoreanTexts | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      details?: Record<string, unknown>;
      headers?: Record<string, string>;
      issues?: ReadonlyMap<string, z.core.$ZodIssue>;
      korean?: KoreanTexts;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.issues = options.issues;
    this.korean = options.korean;
  }
}

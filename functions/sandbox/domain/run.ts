/** Languages of the service; the runners report which of them are installed. */
export const LANGUAGES = ['bash', 'go', 'javascript', 'python', 'ruby', 'typescript'] as const;
export type LanguageName = (typeof LANGUAGES)[number];

/** Limits of one run. */
export interface Resources {
  /** Processors, 1 or 2. */
  readonly cpu: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

export const DEFAULT_RESOURCES: Resources = { cpu: 1, memoryMb: 512, diskMb: 100 };

/** One program to run, checked: every field is within its limits. */
export interface Run {
  readonly language: LanguageName;
  readonly code: string;
  readonly stdin: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly resources: Resources;
}

/** `seconds` is wall time of the program alone, a compiler's included. */
export type RunOutcome =
  /** It ended, or was ended for exceeding a limit: then the last line of `stderr` says so. */
  | {
      readonly kind: 'finished';
      readonly stdout: string;
      readonly stderr: string;
      /** 128 + n when signal n ended it. */
      readonly exitCode: number;
      readonly seconds: number;
    }
  | { readonly kind: 'timed_out'; readonly stdout: string; readonly stderr: string; readonly seconds: number }
  /** Nothing of it has run; `message` is the compiler's or interpreter's own. */
  | { readonly kind: 'invalid_syntax'; readonly message: string; readonly seconds: number };

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
  /** Arguments of the program; absent: none. */
  readonly arguments?: readonly string[];
  /** Files that the program finds in its directory. Present, if empty: those that it leaves below `out/` are part of the outcome. */
  readonly files?: readonly InputFile[];
  /** Path of the one of `files` that is run in place of `code`. */
  readonly main?: string;
  /** The session whose interpreter runs it, in the state that earlier calls have left, and is kept for later ones. */
  readonly keptSession?: string;
  /** Whether the result says what the run used. */
  readonly reportsUse?: boolean;
}

/** A file that a program finds. Its path is relative and leads nowhere else. It has either its content or the name that it is stored by. */
export type InputFile =
  | SentFile
  | { readonly path: string; readonly base64?: never; readonly object: string; readonly size: number };

/** A file that a program finds, with its content. */
export interface SentFile {
  readonly path: string;
  readonly base64: string;
}

/** The memory that a program takes while it waits: stored files take none. */
export function heldBytes({ code, stdin, environment, arguments: parameters = [], files = [] }: Run): number {
  const texts = [code, stdin, ...Object.entries(environment).flat(), ...parameters];
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return files.reduce((sum, { base64 = '' }) => sum + base64.length, textBytes);
}

/** A file that a program has left, by its path below `out/`. It has either its content or the name that it is stored by. */
export type OutputFile = { readonly path: string; readonly size: number } & (
  | { readonly base64: string; readonly object?: never }
  | { readonly base64?: never; readonly object: string }
);

/** A file that a program has left and that is not part of the outcome. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface OutputFiles {
  readonly files: readonly OutputFile[];
  readonly skipped: readonly SkippedFile[];
}

/** Limits that end a run. */
export type RunLimit = 'time' | 'memory' | 'disk' | 'files' | 'processes';

/** Resources that a run has used. */
export interface ResourceUse {
  readonly cpuSeconds: number;
  /** Resident memory, as far as it was looked at. */
  readonly memoryPeakBytes: number;
  /** Name of the signal that ended it. */
  readonly signal: string | null;
  /** The limit that it was ended for. */
  readonly limit: RunLimit | null;
}

/** The first rows of a table; `rowCount` and `columnCount` are those of the whole one. */
export interface ShownTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly rowCount: number;
  readonly columnCount: number;
}

/** The last expression of a call in a kept session. */
export interface ShownValue {
  /** As its language shows it. */
  readonly value: string;
  /** Of tables of pandas and polars. */
  readonly html: string;
  readonly table: ShownTable;
}

/** Traces of a run other than its output. */
export interface RunTraces extends Partial<ShownValue> {
  /** Present when the run asked for its files, or has shown a figure in a kept session. */
  readonly outputs?: OutputFiles;
  readonly used?: ResourceUse;
  /** Of a call in a kept session. */
  readonly session?: KeptState;
}

/** The key of a kept session within its workspace: each language has separate state. */
export const keptSessionKey = ({ language, keptSession = '' }: Pick<Run, 'language' | 'keptSession'>): string =>
  `${language}/${keptSession}`;

export interface KeptState {
  /** Whether the call found no state of earlier calls. */
  readonly isNew: boolean;
  /** Whether later calls find its state. */
  readonly isKept: boolean;
}

/** Languages of kept sessions. */
export const KEPT_LANGUAGES: readonly LanguageName[] = ['javascript', 'python'];

/** `seconds` is wall time of the program alone, a compiler's included. */
export type RunOutcome =
  /** It ended, or was ended for exceeding a limit: then the last line of `stderr` says so. */
  | ({
      readonly kind: 'finished';
      readonly stdout: string;
      readonly stderr: string;
      /** 128 + n when signal n ended it. */
      readonly exitCode: number;
      readonly seconds: number;
    } & RunTraces)
  | ({
      readonly kind: 'timed_out';
      readonly stdout: string;
      readonly stderr: string;
      readonly seconds: number;
    } & RunTraces)
  /** Nothing of it has run; `message` is the compiler's or interpreter's own. */
  | { readonly kind: 'invalid_syntax'; readonly message: string; readonly seconds: number };

import type { LanguageName, Resources } from '../../../functions/sandbox/domain/run.ts';
import type { InstalledPackage } from '../packages.ts';

/** One step of a run, confined like the program itself. */
export type Command = readonly [program: string, ...parameters: string[]];

/** A language as it is installed here. */
export interface Language {
  readonly name: LanguageName;
  readonly version: string;
  /** Name of the file that the code is put in. */
  readonly file: string;
  /** Files and directories that it needs in addition to the system's. */
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Packages that programs can import in addition to the standard library. */
  readonly packages?: readonly InstalledPackage[];
  readonly packagesFolder?: string;
  /** Address space that the runtime reserves and never fills. */
  readonly reservedMb: number;
  /** @param main the file to run */
  run(resources: Resources, main: string): Command;
  /** How it is started before its program is known, to wait for it at a pipe by the name of the file. */
  readonly prestart?: {
    command(resources: Resources): Command;
    /** Code that would behave otherwise than after `run`. */
    readonly isUnfit?: (code: string) => boolean;
  };
  /** Environment in which it prints at once, for those who read along. */
  readonly streaming?: Readonly<Record<string, string>>;
  /** How it is started to run one call after another in the same state. */
  readonly keep?: (resources: Resources) => Command;
  /** In the words of this service, what its tools say of code that is not a program. */
  readonly explain?: (message: string) => string;
  /** Something that it needs and that is being made; rejects when it cannot be. */
  readonly preparation?: Promise<void>;
  /** Commands before the run in its own directory: when one fails, the code is not a program. @param others the other files of the run */
  readonly preparing: (main: string, others: readonly string[]) => readonly Command[];
  /**
   * Asked only when a run has failed and one of these texts is in its stderr, which a program can fill with anything: plain
   * texts are found in linear time. It parses without running, and fails when the code is not a program. An interpreter parses
   * all before it runs any, so nothing has run then.
   */
  readonly afterFailure?: { readonly check: (main: string) => Command; readonly words: readonly string[] };
}

/** Looks for one language on this machine. */
export interface Finder {
  readonly name: LanguageName;
  readonly hint: string;
  find(): Promise<Language | null>;
}

export interface FindOptions {
  /** True if programs run as separate users, which cannot use files that only the runner may reach. */
  readonly forOtherUsers: boolean;
  /** Directory that the compiled standard library of Go is kept in. */
  readonly goCache: string;
  /** Folder of the packages that programs can import, if there is one. */
  readonly packages: string;
  /** Directory that all programs have theirs in. */
  readonly directory: string;
}

/** Defaults of a language. */
export const COMMON = { readable: [], environment: {}, reservedMb: 0, preparing: () => [] } as const;

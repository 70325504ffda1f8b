import type { Resources } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import type { RunDirectory } from './run-directory.ts';

export interface Launch {
  readonly confinement: Confinement;
  readonly directory: RunDirectory;
  /** Absolute path, then arguments. */
  readonly command: readonly string[];
  /** Commands before it in the same directory, each when the one before has ended with 0, without input. */
  readonly preparing?: readonly (readonly string[])[];
  /** Files and directories outside its own that the program may read and execute. */
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly resources: Resources;
  /** Address space beyond the resident memory, for runtimes that reserve more than they use. */
  readonly reservedMb: number;
  /** Name of a pipe to be made in the directory. */
  readonly pipe?: string;
  /** Puts more files in the run's own file system, where it has one, before the program starts. */
  readonly place?: (directory: string) => void;
  /** Whether what the program leaves below `out/` is collected. */
  readonly collects?: boolean;
}

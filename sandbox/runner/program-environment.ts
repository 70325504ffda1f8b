import type { Language } from './languages/language.ts';
import type { RunDirectory } from './run-directory.ts';

/** The user of a run has no entry in the machine's list; libraries take the name from the environment. */
const USER = 'program';

/** The complete environment of a program. */
export function programEnvironment(
  language: Language,
  directory: RunDirectory,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: directory.path,
    LOGNAME: USER,
    USER,
    TMPDIR: directory.path,
    LANG: 'C.UTF-8',
    ...language.environment,
    ...environment,
  };
}

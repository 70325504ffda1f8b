import { executable, output } from '../executables.ts';
import { linkNodeModules, packagesOf } from '../packages.ts';
import { COMMON, type Finder, type FindOptions } from './language.ts';
import { pythonPackages } from './python.ts';

export function bash(options: FindOptions): Finder {
  return {
    name: 'bash',
    hint: 'apt-get install bash',
    async find() {
      const program = await executable(['bash'], options);
      if (program === null) return null;
      const version = (await output(program, '--version')).match(/version (\S+?)[(\s]/)?.[1];
      if (version === undefined) return null;
      const python = await packagesOf(options.packages, 'python');
      const javascript = await packagesOf(options.packages, 'javascript');
      return {
        ...COMMON,
        name: 'bash',
        version,
        file: 'main.sh',
        // For the other interpreters that it starts.
        readable: [
          ...(python ? [python.folder] : []),
          ...(javascript ? linkNodeModules(options.directory, javascript) : []),
        ],
        environment: python ? pythonPackages(python) : {},
        run: (_, main) => [program, ...CLEAN_BASH, BASH_RUN, main],
        prestart: { command: () => [program, ...CLEAN_BASH, BASH_RUN, 'main.sh'] },
        afterFailure: { check: (main) => [program, ...CLEAN_BASH, BASH_CHECK, main], words: [BASH_INVALID] },
      };
    },
  };
}

const CLEAN_BASH = ['--norc', '--noprofile', '-c'] as const;
const BASH_INVALID = 'main.sh is not a program of bash';
/** The check of the syntax, except for programs that set options such as extglob on the way: those change the syntax. */
const BASH_CHECK = `IFS= read -rd '' code <"$0"; [[ $code == *shopt* ]] || "$BASH" -n "$0"`;
/** Bash runs what it has read so far: the syntax must be known before. A pre-started one waits at the pipe until the file is there. */
const BASH_RUN = `[[ -p $0 ]] && read -rN 1 _ <"$0"
{ ${BASH_CHECK}; } &>/dev/null || { echo "${BASH_INVALID}" >&2; exit 2; }
exec "$BASH" --norc --noprofile "$0" "$@"`;

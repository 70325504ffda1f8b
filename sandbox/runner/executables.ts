import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The first of `names` in any folder of the path that programs can use, without wrappers: a link is followed, a script is not an answer. */
export async function executable(
  names: readonly string[],
  { forOtherUsers }: { readonly forOtherUsers: boolean },
): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  for (const name of names) {
    for (const folder of [...folders, '/usr/local/bin', '/usr/bin', '/bin']) {
      const path = await realpath(join(folder, name)).catch(() => null);
      if (path === null || path.includes('/shims/')) continue;
      if (forOtherUsers ? await isWorldExecutable(path) : await isExecutable(path)) return path;
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether any user can reach and execute the file. */
async function isWorldExecutable(path: string): Promise<boolean> {
  for (let place = path; place !== dirname(place); place = dirname(place)) {
    const { mode } = await stat(place);
    if ((mode & 0o001) === 0) return false;
  }
  return true;
}

const run = promisify(execFile);

/** Standard output of a program that is asked about itself. */
export async function output(program: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await run(program, parameters, {
    timeout: 10_000,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
  });
  return stdout;
}

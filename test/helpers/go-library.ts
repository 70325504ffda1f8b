import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executable } from '../../sandbox/runner/executables.ts';
import { defaultGoCache, goToolchain } from '../../sandbox/runner/languages/go-toolchain.ts';

/** The user that runs programs without root's rights if the tests run as root. */
export const ORDINARY_USER = 54_321;

const run = promisify(execFile);

/**
 * Before any test: Go's standard library. Runners that start side by side on a new machine would each compile it, a minute of
 * processor time every time.
 */
export async function setup(): Promise<void> {
  const user = process.getuid?.();
  if (process.platform !== 'linux' || user === undefined) return;
  const cache = defaultGoCache(user);
  const go = await executable(['go'], { forOtherUsers: user === 0 });
  if (go !== null) await (await goToolchain(go, cache)).library.catch(() => undefined);
  if (user === 0 && existsSync(cache)) await lend(cache, defaultGoCache(ORDINARY_USER));
}

/** A runner uses only its own user's cache: the ordinary user gets a copy. */
async function lend(cache: string, copy: string): Promise<void> {
  if (existsSync(copy)) return;
  const draft = `${copy}.${process.pid}`;
  await run('cp', ['-r', cache, draft]);
  const { stdout } = await run('find', [draft, '-name', 'importcfg']);
  for (const file of stdout.split('\n').filter(Boolean))
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(join(cache, '/'), join(copy, '/')));
  await run('chown', ['-R', `${ORDINARY_USER}:${ORDINARY_USER}`, draft]);
  await run('mv', [draft, copy]);
}

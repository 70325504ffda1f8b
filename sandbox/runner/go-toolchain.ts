import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Go's compiler and linker, used without `go build`: no cache that one program could poison for another. */
export interface GoToolchain {
  readonly version: string;
  readonly root: string;
  readonly compile: string;
  readonly link: string;
  /** Says where the compiled packages of the standard library are. */
  readonly importMap: string;
  readonly readable: readonly string[];
}

const run = promisify(execFile);

/** Compiles the standard library on first use: about a minute on two processors, once for every version of Go. */
export async function goToolchain(go: string, cacheDirectory: string): Promise<GoToolchain> {
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: cacheDirectory,
    GOTOOLCHAIN: 'local',
    GOFLAGS: '',
    CGO_ENABLED: '0',
  };
  const result = await run(go, ['env', 'GOROOT', 'GOTOOLDIR', 'GOVERSION'], { env: environment });
  const [root = '', tools = '', version = ''] = result.stdout.split('\n');
  const library = join(cacheDirectory, version);
  const importMap = join(library, 'importcfg');
  await mkdir(library, { recursive: true });
  await Promise.all([cacheDirectory, library].map((directory) => requireOwn(directory)));
  if ((await readFile(importMap, 'utf8').catch(() => '')) === '') {
    const listing = run(
      go,
      ['list', '-export', '-f', '{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}', 'std'],
      { env: { ...environment, GOCACHE: join(library, 'cache') }, maxBuffer: 16 * 1024 * 1024 },
    );
    // Beside everything else that the machine has to do.
    if (listing.child.pid !== undefined) setPriority(listing.child.pid, constants.priority.PRIORITY_LOW);
    const { stdout } = await listing;
    // Whole or not at all: another runner may be doing the same.
    const draft = `${importMap}.${process.pid}`;
    await writeFile(draft, stdout.replaceAll(/\n+/g, '\n'));
    await rename(draft, importMap);
  }
  return {
    version: version.replace(/^go/, ''),
    root,
    compile: join(tools, 'compile'),
    link: join(tools, 'link'),
    importMap,
    readable: [root, library],
  };
}

/** In a world-writable directory another user may have made it first. */
async function requireOwn(directory: string): Promise<void> {
  const { uid, mode } = await stat(directory);
  if (uid !== process.getuid?.()) throw new Error(`${directory} belongs to user ${uid}.`);
  // In an image it may be read-only.
  if ((mode & 0o777) !== 0o755) await chmod(directory, 0o755);
}

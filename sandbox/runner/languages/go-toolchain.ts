import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireOwnDirectory } from '../private-directory.ts';

/** Go's compiler and linker, used without `go build`: no cache that one program could poison for another. */
export interface GoToolchain {
  readonly version: string;
  readonly root: string;
  readonly compile: string;
  readonly link: string;
  /** Says where the compiled packages of the standard library are. */
  readonly importMap: string;
  readonly readable: readonly string[];
  /** The standard library; rejects when it cannot be compiled. */
  readonly library: Promise<void>;
}

const READABLE = 0o755;

const run = promisify(execFile);

/** Default directory of the compiled standard library, one for each user. */
export const defaultGoCache = (userId: number | undefined): string => join(tmpdir(), `tripod-go-${userId}`);

/** Finds Go, and compiles its standard library on first use: about a minute on two processors, once for every version of Go. */
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
  for (const directory of [cacheDirectory, library]) await makeReadable(directory);
  const importMap = join(library, 'importcfg');
  return {
    version: version.replace(/^go/, ''),
    root,
    compile: join(tools, 'compile'),
    link: join(tools, 'link'),
    importMap,
    readable: [root, library],
    library: compileLibrary(go, environment, library, importMap),
  };
}

async function compileLibrary(
  go: string,
  environment: Readonly<Record<string, string>>,
  library: string,
  importMap: string,
): Promise<void> {
  if ((await readFile(importMap, 'utf8').catch(() => '')) === '') {
    const listing = run(
      go,
      ['list', '-export', '-f', '{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}', 'std'],
      { env: { ...environment, GOCACHE: join(library, 'cache') }, maxBuffer: 16 * 1024 * 1024 },
    );
    // Runs at low priority, since the machine has other work.
    if (listing.child.pid !== undefined) setPriority(listing.child.pid, constants.priority.PRIORITY_LOW);
    const { stdout } = await listing;
    // Whole or not at all: another runner may be doing the same.
    const draft = `${importMap}.${process.pid}`;
    await writeFile(draft, stdout.replaceAll(/\n+/g, '\n'));
    await rename(draft, importMap);
  }
}

/** Programs of other users read there. In an image it exists, and may be read-only. */
async function makeReadable(directory: string): Promise<void> {
  const made = await mkdir(directory, { mode: READABLE }).catch((error: NodeJS.ErrnoException) => error);
  if (made instanceof Error && made.code !== 'EEXIST') throw made;
  await requireOwnDirectory(directory);
  const { mode } = await lstat(directory);
  if ((mode & 0o777) !== READABLE) await chmod(directory, READABLE);
}

import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTrustedDirectory } from './private-directory.ts';

/** A package that programs can import in addition to the standard library. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

/** Those of one language. */
export interface Packages {
  readonly folder: string;
  readonly installed: readonly InstalledPackage[];
}

/** In a language's folder: the requested packages, without their dependencies. */
export const LIST_FILE = 'tripod-packages.json';

/** In Python's folder: the `major.minor` of the interpreter that the compiled ones are for. */
export const PYTHON_VERSION_FILE = 'tripod-python.txt';

/** For root's runners, readable by every user, since programs run as separate users. */
export function defaultPackagesFolder(uid: number | undefined): string {
  if (uid === 0) return '/var/lib/tripod-packages';
  try {
    return join(homedir(), '.local', 'share', 'tripod-packages');
  } catch {
    // A user without a name has no home.
    return join(tmpdir(), `tripod-packages-${uid}`);
  }
}

/**
 * @param pythonVersion of the interpreter that is to import them
 * @returns null where none are installed, where others could have changed them, or if they are for another version of Python
 */
export async function packagesOf(
  root: string,
  language: 'python' | 'javascript',
  pythonVersion?: string,
): Promise<Packages | null> {
  const folder = join(root, language);
  try {
    for (const place of [root, folder]) await requireTrustedDirectory(place);
    const madeFor = join(folder, PYTHON_VERSION_FILE);
    if (pythonVersion !== undefined && existsSync(madeFor))
      if (readFileSync(madeFor, 'utf8') !== minorVersion(pythonVersion)) return null;
    return { folder, installed: JSON.parse(readFileSync(join(folder, LIST_FILE), 'utf8')) };
  } catch {
    return null;
  }
}

/** @param version such as 3.13.2 */
export const minorVersion = (version: string): string => version.split('.').slice(0, 2).join('.');

/**
 * Node looks for packages in the parents of a program's directory; the nearest common one is the runs' base directory.
 * @returns the paths that programs must be able to read
 */
export function linkNodeModules(directory: string, { folder }: Packages): readonly string[] {
  const link = join(directory, 'node_modules');
  if (!existsSync(link)) symlinkSync(join(folder, 'node_modules'), link);
  return [link, folder];
}

const MISSING = [
  /^ModuleNotFoundError: No module named '([^'\n]{1,200})'/m,
  /Cannot find (?:module|package) '([^'./\n][^'\n]{0,200})'/,
];

const OFFLINE =
  /Name or service not known|Temporary failure in name resolution|getaddrinfo|Network is unreachable|NameResolutionError/;

/** A line for errors of programs that looked for a network. */
export function offlineHint(stderr: string): string | null {
  return OFFLINE.test(stderr)
    ? 'Programs have no network. Send the data that they need as files of the request.'
    : null;
}

/** A line that lists the available packages, for errors that report a missing one. */
export function missingPackageHint(
  stderr: string,
  language: string,
  packages: readonly InstalledPackage[],
): string | null {
  const missing = MISSING.map((pattern) => pattern.exec(stderr)?.[1]).find((name) => name !== undefined);
  if (missing === undefined) return null;
  const list = `sandbox/packages/${language === 'python' ? 'python' : 'javascript'}.txt`;
  const there =
    packages.length === 0
      ? 'No packages are installed for programs here'
      : `Packages that are: ${packages.map(({ name }) => name).join(', ')}`;
  return `${missing} is not installed here. ${there}. To install those of ${list}, run: npm run sandbox:packages. Add others to it first.`;
}

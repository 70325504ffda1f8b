import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTrustedDirectory } from './private-directory.ts';

/** A package that programs can import, beside what its language brings. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

/** Those of one language. */
export interface Packages {
  readonly folder: string;
  readonly installed: readonly InstalledPackage[];
}

/** In the folder of a language: what was asked for, without what that needs itself. */
export const LIST_FILE = 'tripod-packages.json';

/** Of root's runners where every user can read, since programs are users of their own. */
export function defaultPackagesFolder(uid: number | undefined): string {
  if (uid === 0) return '/var/lib/tripod-packages';
  try {
    return join(homedir(), '.local', 'share', 'tripod-packages');
  } catch {
    // A user without a name has no home.
    return join(tmpdir(), `tripod-packages-${uid}`);
  }
}

/** @returns null where none are installed, or where others could have changed them */
export async function packagesOf(root: string, language: 'python' | 'javascript'): Promise<Packages | null> {
  const folder = join(root, language);
  try {
    for (const place of [root, folder]) await requireTrustedDirectory(place);
    return { folder, installed: JSON.parse(readFileSync(join(folder, LIST_FILE), 'utf8')) };
  } catch {
    return null;
  }
}

/**
 * Node looks for packages in the directories above a program's, of which the nearest is the one that all runs of a runner lie in.
 * @returns what programs must be able to read
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

/** A line that tells the author of a program which packages there are, when its errors say that one is missing. */
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
      ? 'No packages are installed for programs here: npm run sandbox:packages installs a selection'
      : `Packages that are: ${packages.map(({ name }) => name).join(', ')}`;
  return `${missing} is not installed here. ${there}. ${list} says how to add one.`;
}

import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { CannotStart } from './cannot-start.ts';
import { DataDirectoryInUse } from './data-directory-in-use.ts';
import type { Stores } from './embedded/stores.ts';
import type { LocalSettings } from './settings.ts';

/**
 * Opens the stores of a service, and creates its data directory if missing, for its user alone. A separate thread opens embedded stores in the background:
 * callers can load other things meanwhile, without leaving a promise pending.
 * @throws DataDirectoryInUse, CannotStart
 */
export async function openDataDirectory({
  dataDirectory,
  stores,
}: Pick<LocalSettings, 'dataDirectory' | 'stores'>): Promise<Stores> {
  makeDirectory(dataDirectory);
  if (stores !== undefined) {
    const { openExternalStores } = await import('./external/stores.ts');
    return openExternalStores(stores, dataDirectory);
  }
  const { startStoresThread } = await import('./embedded/stores-thread.ts');
  try {
    return await startStoresThread(dataDirectory);
  } catch (error) {
    if (isLocked(error)) throw new DataDirectoryInUse();
    throw error;
  }
}

function makeDirectory(dataDirectory: string): void {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CannotStart(`TRIPOD_DATA_DIR: ${dataDirectory} cannot be made: ${(error as Error).message}`);
  }
  closeToOthers(dataDirectory);
}

/** Takes an existing directory from other users of the machine. A group may be the owner of a mounted volume, which cannot be changed. */
function closeToOthers(dataDirectory: string): void {
  const { mode } = statSync(dataDirectory);
  if (process.platform === 'win32' || (mode & GROUP_AND_OTHERS) === 0) return;
  try {
    chmodSync(dataDirectory, OWNER_ONLY);
  } catch (error) {
    if ((mode & OTHERS) === 0) return;
    throw new CannotStart(
      `TRIPOD_DATA_DIR: ${dataDirectory} is open to other users of this machine, and its mode cannot be changed ` +
        `(${(error as Error).message}). Take their rights with chmod o= as its owner.`,
    );
  }
}

const OWNER_ONLY = 0o700;
const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;

/** LevelDB's lock, which the operating system drops when the process dies: a crash leaves nothing to clean up. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'LEVEL_LOCKED' || isLocked(error.cause);
}

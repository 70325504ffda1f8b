import { mkdirSync } from 'node:fs';
import { CannotStart } from './cannot-start.ts';
import type { Stores } from './embedded/stores.ts';
import { startStoresThread } from './embedded/stores-thread.ts';

/** Another process has the data directory open. */
export class DataDirectoryInUse extends Error {}

/**
 * Opens the stores of a data directory, and creates it if missing. A separate thread opens their files in the background: callers can
 * load other things meanwhile, without leaving a promise pending.
 * @throws DataDirectoryInUse, CannotStart
 */
export async function openDataDirectory(dataDirectory: string): Promise<Stores> {
  makeDirectory(dataDirectory);
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
}

/** LevelDB's lock, which the operating system drops when the process dies: a crash leaves nothing to clean up. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'LEVEL_LOCKED' || isLocked(error.cause);
}

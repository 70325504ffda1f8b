import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DataDirectoryInUse } from '../data-directory-in-use.ts';

/**
 * Locks a directory for this process by SQLite's lock on a file, which the operating system drops when the process dies.
 * @returns what unlocks it. @throws DataDirectoryInUse
 */
export function lockDirectory(directory: string): () => void {
  const database = new DatabaseSync(join(directory, 'lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (/locked/.test((error as Error).message)) throw new DataDirectoryInUse();
    throw error;
  }
  return () => database.close();
}

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** s3rver keeps an object in three files, named after its key: content, hash and metadata. */
const CONTENT = '._S3rver_object';
const BESIDE = ['._S3rver_object.md5', '._S3rver_metadata.json'];

/** Removes the objects of a bucket's directory that were last written before then, as S3's lifecycle rules do. */
export async function removeObjectsBefore(bucketDirectory: string, beforeMs: number): Promise<void> {
  const entries = await readdir(bucketDirectory, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    // Made with the first object.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(CONTENT)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.mtimeMs >= beforeMs) continue;
    const key = path.slice(0, -CONTENT.length);
    // The content first: without it the object does not exist, even if other files remain.
    for (const file of [path, ...BESIDE.map((suffix) => key + suffix)]) await rm(file, { force: true });
  }
}

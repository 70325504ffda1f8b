import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDataDirectory } from '../../../local/data-directory.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripod-open-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')(
  'an existing data directory is closed to other users of the machine',
  async () => {
    await chmod(folder, 0o755);
    const stores = await openDataDirectory({ dataDirectory: folder, stores: undefined });
    try {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    } finally {
      await stores.stop();
    }
  },
);

it('a data directory that is a file stops the start, with the name of the setting', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(openDataDirectory({ dataDirectory: file, stores: undefined })).rejects.toThrow('TRIPOD_DATA_DIR');
});

import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DrugMaster } from '../../extraction/domain/master/drug-master.ts';
import type { DrugMasterSource } from '../../extraction/domain/master/drug-master-source.ts';
import type { MasterData } from '../../extraction/domain/master/master-file.ts';
import { loadMaster, packMaster, unpackMaster } from './master-bytes.ts';
import { SHIPPED_MASTER } from './shipped-master.ts';

/** An import takes effect within a second; pages in between do not read the directory. */
const CHECK_INTERVAL_MS = 1000;

/** Path of a local service's master, which `npm run master:import` writes, relative to the data directory. */
export const MASTER_FILE = 'master/drug-master.tsv.gz';

/** Reads the master from a file, again whenever the file has changed; from the shipped list as long as there is none. */
export class FileDrugMaster implements DrugMasterSource {
  readonly #file: URL;
  readonly #checkIntervalMs: number;
  #loaded: Promise<DrugMaster> | null = null;
  #stamp = '';
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(file: URL, checkIntervalMs = CHECK_INTERVAL_MS) {
    this.#file = file;
    this.#checkIntervalMs = checkIntervalMs;
  }

  async current(): Promise<DrugMaster> {
    const nowMs = performance.now();
    if (this.#loaded && nowMs - this.#checkedAtMs < this.#checkIntervalMs) return this.#loaded;
    this.#checkedAtMs = nowMs;
    const { url, stamp } = await this.#newest();
    if (this.#loaded && stamp === this.#stamp) return this.#loaded;
    const loading = readFile(url).then(loadMaster);
    this.#stamp = stamp;
    this.#loaded = loading;
    loading.catch(() => {
      // The next call tries again: the file may have been put right.
      if (this.#loaded === loading) this.#loaded = null;
    });
    return loading;
  }

  async #newest(): Promise<{ url: URL; stamp: string }> {
    for (const url of [this.#file, SHIPPED_MASTER]) {
      const found = await stat(url).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
        throw error;
      });
      if (found) return { url, stamp: `${url.href} ${found.mtimeMs} ${found.size} ${found.ino}` };
    }
    throw new Error(
      `There is no drug master at ${fileURLToPath(this.#file)}. Import one with \`npm run master:import -- <file> --date <date>\`.`,
    );
  }
}

/** @returns null when there is no such file yet. */
export async function readMasterFile(path: string): Promise<MasterData | null> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return bytes && unpackMaster(bytes);
}

/** Writes a temporary file and renames it, so that a running service sees the old master or the new one, never a mixture. */
export async function writeMasterFile(path: string, data: MasterData): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, await packMaster(data));
  await rename(temporary, path);
}

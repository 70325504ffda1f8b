import { readFile } from 'node:fs/promises';

/** The subword vectors of `layers/meaning`. The build puts a module in place of this one that contains them: see `lib/packaging/embed-meaning.ts`. */
export const meaningFile = (): Promise<Uint8Array> => readFile(MEANING_FILE);

export const MEANING_FILE = new URL('../../../layers/meaning/subwords.bin', import.meta.url);

import { readFile } from 'node:fs/promises';
import type { MasterData } from '../../extraction/domain/master/master-file.ts';
import { unpackMaster } from './master-bytes.ts';

/** The list that comes with the product: the default of every stage, and what imports start from. */
export const SHIPPED_MASTER = new URL('../../../layers/drug-master/drug-master.tsv.gz', import.meta.url);

export async function readShippedMaster(): Promise<MasterData> {
  return unpackMaster(await readFile(SHIPPED_MASTER));
}

import { readFileSync } from 'node:fs';
import { unpackMaster } from '../functions/adapters/drug-master/master-bytes.ts';
import { SHIPPED_MASTER } from '../functions/adapters/drug-master/shipped-master.ts';
import type { MasterDrug } from '../functions/extraction/domain/master/drug-master.ts';

/** All drugs of a list: a packed master, or a CSV with code, name, maker, unit, price, from. By default the shipped one. */
export async function listedDrugs(file: string | URL = SHIPPED_MASTER): Promise<readonly MasterDrug[]> {
  return (await unpackMaster(readFileSync(file))).drugs;
}

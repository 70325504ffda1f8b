import { readFileSync } from 'node:fs';
import { loadMaster } from '../functions/adapters/drug-master/master-bytes.ts';
import { SHIPPED_MASTER } from '../functions/adapters/drug-master/shipped-master.ts';
import type { DrugMaster } from '../functions/extraction/domain/master/drug-master.ts';

/** The master that an option names: `shipped` for the one that the service starts with, or a file. */
export async function chosenMaster(option: string): Promise<DrugMaster> {
  return loadMaster(readFileSync(option === 'shipped' ? SHIPPED_MASTER : option));
}

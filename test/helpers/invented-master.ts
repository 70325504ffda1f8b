import { readFileSync } from 'node:fs';
import { loadMaster } from '../../functions/adapters/drug-master/master-bytes.ts';
import type { DrugMaster } from '../../functions/extraction/domain/master/drug-master.ts';

/** 412 invented drugs, for tests that must not depend on the shipped list. */
export const INVENTED_MASTER = new URL('../fixtures/invented-master/invented.csv', import.meta.url);

export function inventedMaster(): Promise<DrugMaster> {
  return loadMaster(readFileSync(INVENTED_MASTER));
}

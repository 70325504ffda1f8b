import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { unpackMaster } from '../functions/adapters/drug-master/master-bytes.ts';
import type { MasterDrug } from '../functions/extraction/domain/master/drug-master.ts';
import { masterOfHistory } from '../functions/extraction/domain/master/history-csv.ts';

/** All drugs of a list: a packed master, or a CSV with code, name, maker, unit, price, from. */
export async function listedDrugs(file: string | URL): Promise<readonly MasterDrug[]> {
  const bytes = readFileSync(file);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return (await unpackMaster(bytes)).drugs;
  const rows: string[][] = parse(bytes, { bom: true, relaxColumnCount: true, skipEmptyLines: true });
  return masterOfHistory(rows).drugs;
}

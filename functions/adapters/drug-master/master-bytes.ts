import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { masterOfList } from '../../extraction/domain/master/apply-list.ts';
import type { DrugMaster } from '../../extraction/domain/master/drug-master.ts';
import { InMemoryDrugMaster } from '../../extraction/domain/master/in-memory-drug-master.ts';
import { findHeader } from '../../extraction/domain/master/list-columns.ts';
import { readListRows } from '../../extraction/domain/master/list-rows.ts';
import {
  decodeMaster,
  encodeMaster,
  isMasterText,
  type MasterData,
  MasterFileError,
  openMaster,
} from '../../extraction/domain/master/master-file.ts';

/** A custom list is as new as its newest price, even a future one. */
const END_OF_TIME = '9999-12-31';

/** How a master file is kept: the text of `encodeMaster`, gzipped, so that `zcat` shows it. */
export async function packMaster(data: MasterData): Promise<Buffer> {
  return promisify(gzip)(encodeMaster(data), { level: 9 });
}

/** All drugs of a packed master file, or of a CSV that carries its history (code, name, maker, unit, price, from). @throws MasterFileError */
export async function unpackMaster(bytes: Uint8Array): Promise<MasterData> {
  return decodeMaster(await masterText(bytes));
}

/** The same, ready for look-ups. @throws MasterFileError */
export async function loadMaster(bytes: Uint8Array): Promise<DrugMaster> {
  return new InMemoryDrugMaster(openMaster(await masterText(bytes)));
}

async function masterText(bytes: Uint8Array): Promise<string> {
  const text = isGzip(bytes) ? await unzip(bytes) : new TextDecoder().decode(bytes);
  return isMasterText(text) ? text : historyText(text);
}

function historyText(csv: string): string {
  const rows: string[][] = parse(csv, { bom: true, relaxColumnCount: true, skipEmptyLines: true });
  const list = findHeader(rows) && readListRows(rows);
  if (list?.form !== 'history')
    throw new MasterFileError(
      'This is not a drug master: neither a packed one nor a CSV with code,name,maker,unit,price,from.',
    );
  return encodeMaster(masterOfList(list, { today: END_OF_TIME }));
}

async function unzip(bytes: Uint8Array): Promise<string> {
  try {
    return (await promisify(gunzip)(bytes)).toString('utf8');
  } catch (error) {
    throw new MasterFileError('The drug master file is damaged: it cannot be unpacked.', { cause: error });
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

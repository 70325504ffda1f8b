import type { MasterDrug, MasterPrice } from './drug-master.ts';
import { tidyHistory } from './price-history.ts';

/** A drug master as it is kept in a file or object. */
export interface MasterData {
  /** ISO dates of the lists that were imported, ascending; empty for a list that came with its own history. */
  readonly listDates: readonly string[];
  /** Ascending by code. */
  readonly drugs: readonly MasterDrug[];
}

/** A master file of which the header is read, and the drugs not yet. */
export interface MasterFile {
  readonly listDates: readonly string[];
  /** One drug a line, to be given to `decodeDrug`. */
  readonly lines: readonly string[];
}

export class MasterFileError extends Error {
  override name = 'MasterFileError';
}

const MAGIC = 'tripod-drug-master';
const FORMAT = '1';

/**
 * The file's text (kept gzipped): a header line, then one drug a line, ascending by code:
 * `code TAB name TAB maker TAB unit TAB 20250101:112 20260701:105 20261101:-`. Lines are decoded when a drug is asked
 * for: loading costs one split, however long the histories are.
 */
export function encodeMaster(data: MasterData): string {
  const header = [MAGIC, FORMAT, String(data.drugs.length), data.listDates.join(' ')].join('\t');
  return `${[header, ...data.drugs.map(encodeDrug)].join('\n')}\n`;
}

/** @throws MasterFileError when the text is no master file of this format, or is cut off. */
export function openMaster(text: string): MasterFile {
  const lines = text.split('\n');
  const [magic, format, count, listDates = ''] = (lines.shift() ?? '').split('\t');
  if (magic !== MAGIC)
    throw new MasterFileError('This is not a drug master file. Make one with `npm run master:import`.');
  if (format !== FORMAT)
    throw new MasterFileError(`The drug master file has format ${format}; this version reads format ${FORMAT}.`);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length !== Number(count))
    throw new MasterFileError(`The drug master file is damaged: it holds ${lines.length} drugs of ${count}.`);
  return { listDates: listDates.split(' ').filter(Boolean), lines };
}

export function decodeMaster(text: string): MasterData {
  const { listDates, lines } = openMaster(text);
  return { listDates, drugs: lines.map(decodeDrug) };
}

export function decodeDrug(line: string): MasterDrug {
  const [code = '', name = '', maker = '', unit = '', prices = ''] = line.split('\t');
  return { code, name, maker, unit, prices: prices.split(' ').map(decodePrice) };
}

export function isMasterText(text: string): boolean {
  return text.startsWith(MAGIC);
}

/** Puts drugs into the file's order, merging those of one code, with tidy histories; drops drugs without any price. */
export function sortDrugs(drugs: Iterable<MasterDrug>): readonly MasterDrug[] {
  const byCode = new Map<string, MasterDrug>();
  for (const drug of drugs) {
    const known = byCode.get(drug.code);
    byCode.set(drug.code, known ? { ...drug, prices: [...known.prices, ...drug.prices] } : drug);
  }
  return [...byCode.values()]
    .map((drug) => ({ ...drug, prices: tidyHistory(drug.prices) }))
    .filter(({ prices }) => prices.length > 0)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

function encodeDrug(drug: MasterDrug): string {
  const prices = drug.prices.map(({ from, krw }) => `${from.replaceAll('-', '')}:${krw ?? '-'}`).join(' ');
  return [...[drug.code, drug.name, drug.maker, drug.unit].map(plain), prices].join('\t');
}

function decodePrice(text: string): MasterPrice {
  const price = text.slice(9);
  return {
    from: `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`,
    krw: price === '-' ? null : Number(price),
  };
}

/** Tabs and line ends would break the format; in a published list they are typing noise. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

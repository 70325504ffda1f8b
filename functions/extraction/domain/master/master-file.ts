import type { MasterDrug, MasterInfo, MasterPrice } from './drug-master.ts';
import { tidyHistory } from './price-history.ts';

/** A drug master as it is kept in a file or object. */
export interface MasterData {
  readonly info: MasterInfo;
  /** Ascending by code. */
  readonly drugs: readonly MasterDrug[];
}

/** A master file whose header has been read, but not its drugs. */
export interface MasterFile {
  readonly info: MasterInfo;
  /** One drug a line, ascending by code. */
  readonly lines: readonly string[];
  readonly decode: (line: string) => MasterDrug;
}

export class MasterFileError extends Error {
  override name = 'MasterFileError';
}

const MAGIC = 'tripod-drug-master';
const FORMAT = '2';

/**
 * The file's text (kept gzipped): a header line with MasterInfo as JSON, then one drug a line, ascending by code:
 * `code TAB name TAB maker TAB unit TAB old codes TAB 20250101:112 20260701:? 20261101:-`, where `?` is a drug on the list
 * without a price, and `-` one that left it. Lines are decoded when a drug is asked for: loading costs one split, however
 * long the histories are.
 */
export function encodeMaster({ info, drugs }: MasterData): string {
  const header = [MAGIC, FORMAT, String(drugs.length), JSON.stringify(info)].join('\t');
  return `${[header, ...drugs.map(encodeDrug)].join('\n')}\n`;
}

/** @throws MasterFileError when the text is not a master file of a known format, or is cut off. */
export function openMaster(text: string): MasterFile {
  const lines = text.split('\n');
  const [magic, format, count, about = ''] = (lines.shift() ?? '').split('\t');
  if (magic !== MAGIC)
    throw new MasterFileError('This is not a drug master file. Make one with `npm run master:import`.');
  if (format !== FORMAT && format !== '1')
    throw new MasterFileError(`The drug master file has format ${format}; this version reads formats 1 and ${FORMAT}.`);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length !== Number(count))
    throw new MasterFileError(`The drug master file is damaged: it holds ${lines.length} drugs of ${count}.`);
  if (format === '1') return { info: infoOfFormat1(about, lines), lines, decode: decodeFormat1 };
  return { info: JSON.parse(about), lines, decode: decodeDrug };
}

export function decodeMaster(text: string): MasterData {
  const { info, lines, decode } = openMaster(text);
  return { info, drugs: lines.map(decode) };
}

export function isMasterText(text: string): boolean {
  return text.startsWith(MAGIC);
}

/** Puts drugs into the file's order, merging those of one code, with tidy histories. The last name of a code holds. */
export function sortDrugs(drugs: Iterable<MasterDrug>): readonly MasterDrug[] {
  const byCode = new Map<string, MasterDrug>();
  for (const drug of drugs) {
    const known = byCode.get(drug.code);
    byCode.set(drug.code, known ? joinDrugs(known, drug) : drug);
  }
  return [...byCode.values()]
    .map((drug) => ({ ...drug, prices: tidyHistory(drug.prices) }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

function newestPriceDate(drugs: readonly MasterDrug[]): string {
  return drugs.reduce((newest, { prices }) => {
    const from = prices.at(-1)?.from ?? '';
    return from > newest ? from : newest;
  }, '');
}

function joinDrugs(known: MasterDrug, drug: MasterDrug): MasterDrug {
  return {
    code: drug.code,
    name: drug.name || known.name,
    maker: drug.maker || known.maker,
    unit: drug.unit || known.unit,
    oldCodes: [...new Set([...known.oldCodes, ...drug.oldCodes])].sort(),
    prices: [...known.prices, ...drug.prices],
  };
}

function encodeDrug(drug: MasterDrug): string {
  const prices = drug.prices.map(encodePrice).join(' ');
  const texts = [drug.code, drug.name, drug.maker, drug.unit, drug.oldCodes.join(' ')];
  return [...texts.map(plain), prices].join('\t');
}

function encodePrice({ from, krw, listed }: MasterPrice): string {
  return `${from.replaceAll('-', '')}:${listed ? (krw ?? '?') : '-'}`;
}

function decodeDrug(line: string): MasterDrug {
  const [code = '', name = '', maker = '', unit = '', oldCodes = '', prices = ''] = line.split('\t');
  return { code, name, maker, unit, oldCodes: parts(oldCodes), prices: parts(prices).map(decodePrice) };
}

/** As format 2, without old codes. */
function decodeFormat1(line: string): MasterDrug {
  const [code = '', name = '', maker = '', unit = '', prices = ''] = line.split('\t');
  return { code, name, maker, unit, oldCodes: [], prices: parts(prices).map(decodePrice) };
}

function infoOfFormat1(listDates: string, lines: readonly string[]): MasterInfo {
  const dates = parts(listDates);
  const version = dates.at(-1) ?? newestPriceDate(lines.map(decodeFormat1));
  return { version, dates, source: '', attribution: '' };
}

function decodePrice(text: string): MasterPrice {
  const price = text.slice(9);
  return {
    from: `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`,
    krw: price === '-' || price === '?' ? null : Number(price),
    listed: price !== '-',
  };
}

function parts(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

/** Tabs and line ends would break the format; in a published list they are typing noise. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

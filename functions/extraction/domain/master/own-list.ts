import type { JudgedPage } from '../extraction.ts';
import type { StoredFinding } from '../judging/finding.ts';
import type { FindingParameters } from '../judging/finding-parameters.ts';
import { reviewNote } from '../judging/review-notes.ts';
import { masterOfList } from './apply-list.ts';
import { toDrugCode } from './drug-code.ts';
import type { DrugMaster, MasterDrug, MasterPrice } from './drug-master.ts';
import { findHeader } from './list-columns.ts';
import { readListRows } from './list-rows.ts';
import { type MasterData, MasterFileError } from './master-file.ts';
import { priceInForce } from './price-history.ts';

/** A workspace's own list: house codes, nicknames, non-reimbursed drugs, negotiated prices. */
export interface OwnListInfo {
  readonly rows: number;
  readonly updatedAt: string;
}

/** An own list in the form in which it is stored. */
export interface PackedOwnList extends OwnListInfo {
  readonly packed: Uint8Array;
}

export interface OwnLists {
  /**
   * Ready for look-ups; null if the workspace has none.
   * @throws Error if that is unknown.
   */
  of(workspaceId: string): Promise<DrugMaster | null>;
}

export interface OwnListStore {
  put(workspaceId: string, list: PackedOwnList): Promise<void>;
  describe(workspaceId: string): Promise<OwnListInfo | null>;
  remove(workspaceId: string): Promise<void>;
}

export const MAX_OWN_ROWS = 100_000;
/** A price without a date has always been in force. */
const BEGINNING = '1970-01-01';

/**
 * The list that a workspace has sent: any codes, as its sheets print them, with a name, and a price where it has one.
 * @param updatedAt ISO time, which becomes the version.
 * @throws MasterFileError that names the rows that are wrong.
 */
export function ownMaster(rows: readonly (readonly string[])[], updatedAt: string): MasterData {
  if (rows.length > MAX_OWN_ROWS)
    throw new MasterFileError(`The list has ${rows.length} rows; ${MAX_OWN_ROWS} is the maximum for a custom list.`);
  if (findHeader(rows) === null)
    throw new MasterFileError(
      'The first row must name the columns: code and name (제품코드, 제품명), and price, from, maker and unit (상한금액, 적용일자, 업체명, 단위) where you have them.',
    );
  const list = readListRows(rows, { toCode: ownCode, namedStrictly: true });
  const { drugs } = masterOfList(list, { date: BEGINNING, today: updatedAt.slice(0, 10) });
  // Without a date an empty price says nothing: no day on which the drug left a list.
  const said = list.form === 'monthly' ? drugs.map(withoutEmptyPrices) : drugs;
  return { info: { version: updatedAt, dates: [], source: '', attribution: '' }, drugs: said };
}

/** The official list with a workspace's own on top. */
export function layered(official: DrugMaster, own: DrugMaster): DrugMaster {
  const find = (code: string): MasterDrug | null => {
    const [below, above] = [official.find(code), own.find(code)];
    return above === null ? below : below === null ? above : overlaid(below, above);
  };
  return {
    info: official.info,
    size: official.size + own.size,
    find,
    findByOldCode: (code) => official.findByOldCode(code).map((drug) => find(drug.code) ?? drug),
    suggest: (name, limit) =>
      [...own.suggest(name, limit), ...official.suggest(name, limit).filter(({ code }) => own.find(code) === null)]
        .sort((a, b) => b.score - a.score)
        .slice(0, limit),
    search: (text, limit) => {
      const above = own.search(text, limit).map(({ code }) => find(code)!);
      const below = official.search(text, limit).filter(({ code }) => own.find(code) === null);
      return [...above, ...below].slice(0, limit);
    },
  };
}

/** Says on every line whose code the own list knows otherwise that this one was judged by it. */
export function withOwnListNotes(page: JudgedPage, official: DrugMaster, own: DrugMaster, today: string): JudgedPage {
  const date = page.meta.serviceDate?.date ?? today;
  const notes = page.items.map(({ drugCode }) => drugCode && ownListFinding(drugCode, official, own, date));
  const items = page.items.map((item, index) => {
    const note = notes[index];
    return note ? { ...item, review: [...item.review, reviewNote(note, 'en')] } : item;
  });
  const findings = page.findings?.map((known, index) => (notes[index] ? [...known, notes[index]] : known));
  return { ...page, items, ...(findings && { findings }) };
}

/** Why a line is judged otherwise than by the official list; null when the own list says the same, or nothing, of its code. */
export function ownListFinding(
  printedCode: string,
  official: DrugMaster,
  own: DrugMaster,
  today: string,
): StoredFinding | null {
  const code = toDrugCode(printedCode).lookup;
  const [below, above] = [official.find(code), own.find(code)];
  if (above === null || below === null) return null;
  const name = above.name === below.name ? null : { own: above.name, official: below.name };
  const price = priceDifference(above.prices, below.prices, today);
  return name === null && price === null ? null : { kind: 'own_list', parameters: { code, name, price } };
}

function priceDifference(
  above: readonly MasterPrice[],
  below: readonly MasterPrice[],
  today: string,
): FindingParameters['own_list']['price'] {
  const [own, official] = [priceInForce(above, today)?.krw, priceInForce(below, today)?.krw ?? null];
  return own === undefined || own === official ? null : { own, official };
}

/** Own prices hold from their first day on; before that the official ones do. */
function overlaid(below: MasterDrug, above: MasterDrug): MasterDrug {
  const first = above.prices[0]?.from;
  return {
    code: above.code,
    name: above.name,
    maker: above.maker || below.maker,
    unit: above.unit || below.unit,
    oldCodes: below.oldCodes,
    prices: first === undefined ? below.prices : [...below.prices.filter(({ from }) => from < first), ...above.prices],
  };
}

function withoutEmptyPrices(drug: MasterDrug): MasterDrug {
  return { ...drug, prices: drug.prices.filter(({ krw }) => krw !== null) };
}

/** As the code is looked up when a sheet prints it. */
function ownCode(cell: string): string | null {
  const code = toDrugCode(cell).lookup;
  return /^\S{1,40}$/.test(code) ? code : null;
}

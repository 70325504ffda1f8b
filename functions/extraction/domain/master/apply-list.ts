import type { MasterDrug, MasterPrice } from './drug-master.ts';
import type { ListedRow, PublishedList } from './list-rows.ts';
import { type MasterData, MasterFileError, sortDrugs } from './master-file.ts';
import { mergeMasters, NO_MASTER } from './merge-masters.ts';
import { isSame, offList, priceInForce } from './price-history.ts';

export interface ListChanges {
  readonly added: number;
  readonly changed: number;
  readonly ended: number;
  readonly unchanged: number;
}

/** Drugs that an error names. */
const MAX_NAMED = 3;

/** A list that would take this share of the drugs off is a part of one, not a new edition. */
const MAX_ENDED_SHARE = 0.5;

export interface ApplyOptions {
  /** ISO date from which the prices of a monthly list are in force. */
  readonly date?: string;
  readonly today: string;
  /** Accept a monthly list even if it ends most of the current prices. */
  readonly force?: boolean;
  /** A monthly list of some drugs: those that it lacks stay as they are. */
  readonly partial?: boolean;
}

/**
 * Enters a published list into the history. Lists may come in any order and repeatedly: a monthly list ends the drugs that it lacks,
 * every date keeps the prices of its list, and no earlier data is lost.
 * @param known null without a master yet.
 * @throws MasterFileError if a monthly list has no date, or is so much shorter than the previous one that it must be incomplete.
 */
export function applyList(
  known: MasterData | null,
  list: PublishedList,
  options: ApplyOptions,
): { readonly data: MasterData; readonly changes: ListChanges; readonly ended: readonly MasterDrug[] } {
  const before = known ?? NO_MASTER;
  const over = masterOfList(list, options);
  const data = mergeMasters(before, over);
  const date = list.form === 'monthly' && !options.partial ? over.info.version : null;
  const { changes, ended } = changesOf(before, data, date);
  const inForce = changes.ended + changes.unchanged + changes.changed;
  if (date !== null && !options.force && changes.ended > inForce * MAX_ENDED_SHARE)
    throw new MasterFileError(
      `The list of ${date} lacks ${changes.ended} of the ${inForce} drugs in force before it, and would end them: ${named(ended)}. Nothing was changed. Give --partial if it is a part of a list, so that these stay, or --force if it is whole.`,
    );
  return { data, changes, ended };
}

function named(drugs: readonly MasterDrug[]): string {
  const shown = drugs.slice(0, MAX_NAMED).map(({ code, name }) => `${code} ${name}`);
  return shown.join(', ') + (drugs.length > MAX_NAMED ? ` and ${drugs.length - MAX_NAMED} more` : '');
}

/** A master made from one list, without earlier data. */
export function masterOfList(
  list: PublishedList,
  { date, today, partial = false }: Pick<ApplyOptions, 'date' | 'today' | 'partial'>,
): MasterData {
  const monthly = list.form === 'monthly' ? requireDate(date) : null;
  const byDate = list.rows.toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''));
  const drugs = sortDrugs([...byDate.map((row) => drugOfRow(row, monthly)), ...successors(list.rows)]);
  const newest = list.rows.reduce((max, { from }) => (from !== null && from > max && from <= today ? from : max), '');
  const dates = monthly === null || partial ? [] : [monthly];
  const info = { version: monthly ?? newest, dates, source: '', attribution: '' };
  return { info, drugs };
}

function requireDate(date: string | undefined): string {
  if (date === undefined) throw new MasterFileError('From which day are the prices of this list in force?');
  return date;
}

function drugOfRow({ code, name, maker, unit, oldCodes, price, from }: ListedRow, date: string | null): MasterDrug {
  const since = date ?? from;
  const prices: MasterPrice[] = price === null || since === null ? [] : [{ from: since, ...price }];
  return { code, name, maker, unit, oldCodes, prices };
}

/** A row that names its drug's next code makes its own code an old code of that one. */
function successors(rows: readonly ListedRow[]): readonly MasterDrug[] {
  const codes = new Set(rows.map(({ code }) => code));
  return rows.flatMap(({ code, newCode }) =>
    newCode === null || newCode === code || !codes.has(newCode)
      ? []
      : [{ code: newCode, name: '', maker: '', unit: '', oldCodes: [code], prices: [] }],
  );
}

/** On the day of a monthly list, or over the whole history. */
function changesOf(before: MasterData, after: MasterData, date: string | null) {
  const known = new Map(before.drugs.map((drug) => [drug.code, drug]));
  const changes = { added: 0, changed: 0, ended: 0, unchanged: 0 };
  const ended: MasterDrug[] = [];
  for (const drug of after.drugs) {
    const kind = changeOf(known.get(drug.code), drug, date);
    if (kind !== null) changes[kind]++;
    if (kind === 'ended') ended.push(drug);
  }
  return { changes, ended };
}

function changeOf(before: MasterDrug | undefined, after: MasterDrug, date: string | null): keyof ListChanges | null {
  if (date === null) {
    if (before === undefined) return 'added';
    if (isSameDrug(before, after)) return 'unchanged';
    return isListed(before) && !isListed(after) ? 'ended' : 'changed';
  }
  const then = priceInForce(before?.prices ?? [], date) ?? offList(date);
  const now = priceInForce(after.prices, date) ?? offList(date);
  if (!now.listed) return then.listed ? 'ended' : null;
  if (!then.listed) return 'added';
  return isSame(then, now) ? 'unchanged' : 'changed';
}

function isListed({ prices }: MasterDrug): boolean {
  return prices.at(-1)?.listed === true;
}

function isSameDrug(a: MasterDrug, b: MasterDrug): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

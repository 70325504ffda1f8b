import type { MasterDrug, MasterPrice } from './drug-master.ts';
import { joinOldCodes, type MasterData, MasterFileError, sortDrugs } from './master-file.ts';
import { isSame, offList, priceInForce } from './price-history.ts';
import type { PriceList } from './price-list.ts';

export interface ListChanges {
  readonly added: number;
  readonly changed: number;
  readonly delisted: number;
  readonly unchanged: number;
}

const NO_MASTER: MasterData = { info: { version: '', dates: [], source: '', attribution: '' }, drugs: [] };

/** A list that would take this share of the drugs off is a part of one, not a new edition. */
const MAX_DELISTED_SHARE = 0.5;

export interface ApplyOptions {
  /** Take the list even when it delists most of what is in force. */
  readonly force?: boolean;
}

/**
 * Enters a list into the history. Lists may come in any order and more than once: every date keeps the prices of its own
 * list, whatever is entered before or after it.
 * @param known null when there is no master yet.
 * @throws MasterFileError when the list is so much shorter than the one before that it cannot be whole.
 */
export function applyList(
  known: MasterData | null,
  list: PriceList,
  options: ApplyOptions = {},
): { readonly data: MasterData; readonly changes: ListChanges } {
  const { info, drugs } = known ?? NO_MASTER;
  const nextDate = info.dates.find((date) => date > list.date) ?? null;
  const isNewest = nextDate === null;
  const changes = { added: 0, changed: 0, delisted: 0, unchanged: 0 };
  const merged: MasterDrug[] = [];

  for (const drug of drugs) {
    const listed = list.drugs.get(drug.code);
    const before = priceInForce(drug.prices, list.date) ?? offList(list.date);
    const now = listed ? { from: list.date, krw: listed.krw, listed: true } : offList(list.date);
    if (listed && !before.listed) changes.added++;
    else if (!listed && before.listed) changes.delisted++;
    else if (listed) changes[isSame(before, now) ? 'unchanged' : 'changed']++;
    const { code, name, maker, unit } = listed && isNewest ? listed : drug;
    const oldCodes = joinOldCodes(drug.oldCodes, listed?.oldCodes ?? []);
    merged.push({ code, name, maker, unit, oldCodes, prices: insertPrice(drug.prices, now, nextDate) });
  }
  const knownCodes = new Set(drugs.map(({ code }) => code));
  for (const { krw, ...drug } of list.drugs.values()) {
    if (knownCodes.has(drug.code)) continue;
    changes.added++;
    merged.push({ ...drug, prices: insertPrice([], { from: list.date, krw, listed: true }, nextDate) });
  }

  const inForce = changes.delisted + changes.unchanged + changes.changed;
  if (!options.force && changes.delisted > inForce * MAX_DELISTED_SHARE)
    throw new MasterFileError(
      `The list of ${list.date} lacks ${changes.delisted} of the ${inForce} drugs in force before it: it looks like a part of a list. Nothing was changed; give --force if it is whole.`,
    );
  const dates = [...new Set([...info.dates, list.date])].sort();
  const version = list.date > info.version ? list.date : info.version;
  return { data: { info: { ...info, version, dates }, drugs: sortDrugs(merged) }, changes };
}

/**
 * Unchanged prices leave no entry, so the next list's price is written down before something is put in front of it.
 */
function insertPrice(
  prices: readonly MasterPrice[],
  price: MasterPrice,
  nextDate: string | null,
): readonly MasterPrice[] {
  const others = prices.filter(({ from }) => from !== price.from);
  if (nextDate === null) return [...others, price];
  const next = priceInForce(prices, nextDate);
  return [...others, price, { ...(next ?? offList(nextDate)), from: nextDate }];
}

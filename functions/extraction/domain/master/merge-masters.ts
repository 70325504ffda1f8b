import type { MasterDrug, MasterInfo, MasterPrice } from './drug-master.ts';
import type { MasterData } from './master-file.ts';
import { offList, priceInForce, tidyHistory } from './price-history.ts';

export const NO_MASTER: MasterData = { info: { version: '', dates: [], source: '', attribution: '' }, drugs: [] };

/**
 * Lays `over` on `under`, losing nothing of either. On a day for which a list was imported, that list holds; between, every
 * price holds from its own date on. Where both have a price of one date, that of `over` holds. Names come from the newer.
 */
export function mergeMasters(under: MasterData, over: MasterData): MasterData {
  const isNewer = over.info.version >= under.info.version;
  const byCode = new Map<string, { under?: MasterDrug; over?: MasterDrug }>();
  for (const drug of under.drugs) byCode.set(drug.code, { under: drug });
  for (const drug of over.drugs) byCode.set(drug.code, { ...byCode.get(drug.code), over: drug });
  const drugs = [...byCode.entries()].map(([code, of]): MasterDrug => {
    const [first, second] = isNewer ? [of.over, of.under] : [of.under, of.over];
    return {
      code,
      name: first?.name || second?.name || '',
      maker: first?.maker || second?.maker || '',
      unit: first?.unit || second?.unit || '',
      oldCodes: joinOldCodes(of.under?.oldCodes ?? [], of.over?.oldCodes ?? []),
      prices: tidyHistory([...datedPrices(under, of.under), ...datedPrices(over, of.over)]),
    };
  });
  return { info: mergeInfo(under.info, over.info), drugs: drugs.sort((a, b) => (a.code < b.code ? -1 : 1)) };
}

/** The starting point of an import: the earlier import, on top of the shipped list's history. */
export function withShipped(imported: MasterData | null, shipped: MasterData): MasterData {
  if (imported === null) return shipped;
  if (imported.info.source === shipped.info.source) return imported;
  const { info, drugs } = mergeMasters(shipped, imported);
  return { info: { ...info, source: shipped.info.source, attribution: shipped.info.attribution }, drugs };
}

export function joinOldCodes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort();
}

/** The prices, and what they were on the days of the lists: entries of another history may come between. */
function datedPrices({ info }: MasterData, drug: MasterDrug | undefined): readonly MasterPrice[] {
  const prices = drug?.prices ?? [];
  const onListDates = info.dates.map((from) => ({ ...(priceInForce(prices, from) ?? offList(from)), from }));
  return [...prices, ...onListDates];
}

function mergeInfo(under: MasterInfo, over: MasterInfo): MasterInfo {
  return {
    version: over.version > under.version ? over.version : under.version,
    dates: [...new Set([...under.dates, ...over.dates])].sort(),
    source: under.source || over.source,
    attribution: under.attribution || over.attribution,
  };
}

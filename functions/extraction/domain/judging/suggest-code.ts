import type { DrugLine } from '../drug-line.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, isConfirmed, OF_LIST } from '../master/drug-name.ts';
import { codesOneSlipAway } from '../master/near-codes.ts';
import { priceInForce } from '../master/price-history.ts';

/** Products of one name, strengths and packs, are no more; where as many names are as near, none of them is meant for sure. */
const CANDIDATES = 24;
/** A name this similar to the list's has one misread syllable: enough, together with a code that has all digits but one. */
const MISREAD = 0.85;

/**
 * The one listed product that fits all that a line prints, where its code is not in the list: its name with a code that is one slip away, else its
 * whole name. Null where none does, or several do.
 */
export function suggestCode(line: DrugLine, master: DrugMaster, date: string): string | null {
  const { value: printed } = line.drugName;
  if (printed === null) return null;
  const compared = (codes: readonly string[]) =>
    [...new Set(codes)]
      .map((code) => master.find(code))
      .filter((drug) => drug !== null)
      .filter(({ prices }) => priceInForce(prices, date)?.listed === true)
      .map((drug) => ({ drug, comparison: compareNames(printed, drug.name) }));
  const near = compared(codesOneSlipAway(line.drugCode.value ?? ''));
  const named = () => compared(master.suggest(printed, CANDIDATES).map(({ code }) => code));
  const fits = [
    () => near.filter(({ comparison }) => isConfirmed(comparison)),
    () => near.filter(({ comparison }) => OF_LIST.has(comparison.agreement)),
    () => near.filter(({ comparison }) => comparison.agreement === 'similar' && comparison.similarity >= MISREAD),
    () => named().filter(({ comparison }) => isConfirmed(comparison)),
  ];
  for (const candidates of fits) {
    const drugs = candidates().map(({ drug }) => drug);
    if (drugs.length > 0) return onlyOne(drugs, line, date);
  }
  return null;
}

/** Packs of one product differ in price alone, as far as a line shows. */
function onlyOne(drugs: readonly MasterDrug[], { unitPrice }: DrugLine, date: string): string | null {
  const priced = drugs.filter(({ prices }) => priceInForce(prices, date)?.krw === unitPrice.value);
  const [drug, ...others] = priced.length > 0 ? priced : drugs;
  return drug && others.length === 0 ? drug.code : null;
}

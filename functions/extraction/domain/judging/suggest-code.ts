import type { DrugLine } from '../drug-line.ts';
import type { DrugMaster, Suggestion } from '../master/drug-master.ts';
import { priceInForce } from '../master/price-history.ts';
import { editDistances } from '../text/edit-distance.ts';

const CANDIDATES = 5;
/** Names this near to the best one fit as well as it: strengths or packs of one brand, when the sheet cut the name off. */
const TIE = 0.02;

/**
 * The code that a line most likely means, from its name; among names that fit equally, the one with the printed price or
 * the most similar code. Null when nothing is near enough or two codes remain.
 */
export function suggestCode(line: DrugLine, master: DrugMaster, today: string): string | null {
  if (line.drugName.value === null) return null;
  const candidates = master.suggest(line.drugName.value, CANDIDATES);
  const listed = candidates.filter(({ code }) => priceNow(master, code, today) !== null);
  const [best] = listed;
  if (!best) return null;
  let rivals: readonly Suggestion[] = listed.filter(({ score }) => best.score - score <= TIE);
  rivals = narrow(rivals, ({ code }) => (priceNow(master, code, today) === line.unitPrice.value ? 0 : 1));
  const printed = line.drugCode.value ?? '';
  if (printed !== '') rivals = narrow(rivals, ({ code }) => editDistances(printed, code).whole);
  return rivals.length === 1 ? rivals[0]!.code : null;
}

/** Keeps those with the least `cost`. */
function narrow(rivals: readonly Suggestion[], cost: (rival: Suggestion) => number): readonly Suggestion[] {
  const least = Math.min(...rivals.map(cost));
  return rivals.filter((rival) => cost(rival) === least);
}

function priceNow(master: DrugMaster, code: string, today: string): number | null {
  return priceInForce(master.find(code)?.prices ?? [], today)?.krw ?? null;
}

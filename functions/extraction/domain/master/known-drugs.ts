import { toDrugCode } from './drug-code.ts';
import type { DrugMaster } from './drug-master.ts';
import { compareNames, OF_LIST } from './drug-name.ts';

/** Look-ups of print in the drug list before a page has lines: prices and names. */
export interface KnownDrugs {
  /** Prices that the list has ever had for a printed code; empty for an unknown one. */
  readonly pricesOf: (printedCode: string) => readonly number[];
  /** Whether the list has a drug of this name, as far as the print states it. */
  readonly isNamed: (printedName: string) => boolean;
}

/** A list that knows no drug. */
export const NO_KNOWN_DRUGS: KnownDrugs = { pricesOf: () => [], isNamed: () => false };

/** The look-ups in a whole drug list. */
export function knownDrugsOf(master: DrugMaster): KnownDrugs {
  return {
    pricesOf: (code) => (master.find(toDrugCode(code).lookup)?.prices ?? []).flatMap(({ krw }) => krw ?? []),
    isNamed: (printed) => {
      const [nearest] = master.suggest(printed, 1);
      return nearest !== undefined && OF_LIST.has(compareNames(printed, nearest.name).agreement);
    },
  };
}

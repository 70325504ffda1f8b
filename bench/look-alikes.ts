import type { DrugMaster, MasterDrug } from '../functions/extraction/domain/master/drug-master.ts';
import { InMemoryDrugMaster } from '../functions/extraction/domain/master/in-memory-drug-master.ts';
import { encodeMaster, openMaster, sortDrugs } from '../functions/extraction/domain/master/master-file.ts';

const CODE = /^\d{9}$/;

/** A master of these drugs, as one that was imported would be. */
export function masterOf(drugs: Iterable<MasterDrug>): DrugMaster {
  return new InMemoryDrugMaster(openMaster(encodeMaster({ listDates: [], drugs: sortDrugs(drugs) })));
}

/**
 * Every code one digit apart from a drug's own, listed as its sister: another strength at the same price. With them a
 * misread digit always hits a listed drug, so that neither code nor price betrays it.
 * @param taken codes that are never invented: those that exist, and those that pages print as unknown ones.
 */
export function* lookAlikes(drugs: Iterable<MasterDrug>, taken: ReadonlySet<string>): Generator<MasterDrug> {
  const invented = new Set<string>();
  for (const drug of drugs) {
    if (!CODE.test(drug.code)) continue;
    for (let at = 0; at < drug.code.length; at++)
      for (let digit = 0; digit <= 9; digit++) {
        const code = `${drug.code.slice(0, at)}${digit}${drug.code.slice(at + 1)}`;
        if (taken.has(code) || invented.has(code)) continue;
        invented.add(code);
        yield { ...drug, code, name: otherStrength(drug.name, digit) };
      }
  }
}

/** The name with its first number changed in one digit, or numbered where it has none. */
function otherStrength(name: string, digit: number): string {
  const changed = name.replace(/\d/, (old) => String(Number(old) === digit ? (digit % 9) + 1 : digit));
  return changed === name ? `${name}${digit + 1}호` : changed;
}

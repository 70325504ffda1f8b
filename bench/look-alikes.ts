import { toDrugCode } from '../functions/extraction/domain/master/drug-code.ts';
import type { DrugMaster, MasterDrug, MasterInfo } from '../functions/extraction/domain/master/drug-master.ts';
import { InMemoryDrugMaster } from '../functions/extraction/domain/master/in-memory-drug-master.ts';
import { encodeMaster, openMaster, sortDrugs } from '../functions/extraction/domain/master/master-file.ts';

const INFO: MasterInfo = { version: '', dates: [], source: '', attribution: '' };

/** A master of these drugs, as one that was imported would be. */
export function masterOf(drugs: Iterable<MasterDrug>): DrugMaster {
  return new InMemoryDrugMaster(openMaster(encodeMaster({ info: INFO, drugs: sortDrugs(drugs) })));
}

/**
 * A master that lists, in addition to its own drugs, every code one digit apart from those that pages print, each as a sister: another
 * strength at the same price. A misread digit then always hits a listed drug, so that neither code nor price reveals it. Codes that pages
 * print as unknown stay unknown.
 */
export function withLookAlikes(master: DrugMaster, printedCodes: Iterable<string>): DrugMaster {
  const printed = new Set([...printedCodes].map((code) => toDrugCode(code).lookup));
  const invented = new Map<string, MasterDrug>();
  for (const code of printed) {
    const drug = master.find(code);
    if (drug === null || !/^\d{9}$/.test(code)) continue;
    for (let at = 0; at < code.length; at++)
      for (let digit = 0; digit <= 9; digit++) {
        const other = `${code.slice(0, at)}${digit}${code.slice(at + 1)}`;
        if (printed.has(other) || invented.has(other) || master.find(other) !== null) continue;
        invented.set(other, { ...drug, code: other, name: otherStrength(drug.name, digit) });
      }
  }
  const sisters = masterOf(invented.values());
  return {
    info: master.info,
    size: master.size + sisters.size,
    find: (code) => master.find(code) ?? sisters.find(code),
    findByOldCode: (code) => master.findByOldCode(code),
    search: (text, limit) => master.search(text, limit),
    suggest: (name, limit) =>
      [...master.suggest(name, limit), ...sisters.suggest(name, limit)]
        .sort((a, b) => b.score - a.score)
        .slice(0, limit),
  };
}

/** The name with its first number changed in one digit, or numbered where it has none. */
function otherStrength(name: string, digit: number): string {
  const changed = name.replace(/\d/, (old) => String(Number(old) === digit ? (digit % 9) + 1 : digit));
  return changed === name ? `${name}${digit + 1}호` : changed;
}

/** The drugs of rows that pages print, and for each all codes one digit apart. */
export function printedDrugs(
  rows: readonly { readonly drugCode?: string | null | undefined; readonly drugName?: string | null | undefined }[],
): DrugMaster {
  const drugs: MasterDrug[] = rows.flatMap(({ drugCode, drugName }) =>
    drugCode && drugName
      ? {
          code: drugCode,
          name: drugName,
          maker: '',
          unit: '',
          oldCodes: [],
          prices: [{ from: '2020-01-01', krw: 100, listed: true }],
        }
      : [],
  );
  return withLookAlikes(
    masterOf(drugs),
    drugs.map(({ code }) => code),
  );
}

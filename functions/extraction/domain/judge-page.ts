import type { JudgedPage } from './extraction.ts';
import type { KnownPrices } from './interpret/columns/assign-columns.ts';
import { interpretPage } from './interpret/interpret-page.ts';
import { judgeLists } from './judging/judge-table.ts';
import { toDrugCode } from './master/drug-code.ts';
import type { DrugMaster } from './master/drug-master.ts';
import type { PageReading } from './reading/table-reader.ts';
import type { Template } from './reading/template.ts';

/**
 * Interprets a reading: finds the drug table, judges its lines, sums up. Pure.
 * @param today ISO date in Korea; decides which price is in force.
 */
export function judgePage(reading: PageReading, template: Template, master: DrugMaster, today: string): JudgedPage {
  const { documentType, documentKind, table, lists } = interpretPage(reading, template, knownPricesOf(master));
  const { items, summary } = judgeLists(lists, master, today);
  return {
    documentType,
    foundTable: table !== null,
    items,
    summary,
    geometry: reading.geometry,
    meta: {
      documentKind,
      imageReadable: reading.image.readable,
      imageIssues: reading.image.issues,
      rotationApplied: reading.geometry.rotation,
      cropped: reading.geometry.crop !== null,
      template: template.id,
    },
  };
}

/** What the drug list knows of the prices of a printed code. */
export function knownPricesOf(master: DrugMaster): KnownPrices {
  return (printedCode) => (master.find(toDrugCode(printedCode).lookup)?.prices ?? []).flatMap(({ krw }) => krw ?? []);
}

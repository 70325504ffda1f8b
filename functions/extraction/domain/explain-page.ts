import { interpretPage } from './interpret/interpret-page.ts';
import { type TableTrace, traceTable } from './interpret/trace.ts';
import type { DrugMaster } from './master/drug-master.ts';
import { knownDrugsOf } from './master/known-drugs.ts';
import type { PageReading } from './reading/table-reader.ts';
import type { Template } from './reading/template.ts';

/** How a page was interpreted: for people who ask why its drugs were found or not. */
export interface PageTrace {
  /** Every table of the page that was considered, in that order. */
  readonly tables: readonly TableTrace[];
  /** Lines of text outside of all tables. */
  readonly textCount: number;
}

/** Interprets a page once more and records the intermediate results. */
export function explainPage(reading: PageReading, template: Template, master: DrugMaster): PageTrace {
  const tables: TableTrace[] = [];
  interpretPage(reading, template, knownDrugsOf(master), (candidate) => tables.push(traceTable(candidate, template)));
  return { tables, textCount: reading.texts.length };
}

import type { DrugTable } from './drug-line.ts';
import type { JudgedPage, ServiceDate } from './extraction.ts';
import { type InterpretedPage, interpretPage } from './interpret/interpret-page.ts';
import { isBetterReading } from './interpret/learned/better-reading.ts';
import { learnedPage } from './interpret/learned/learned-page.ts';
import { printedDate } from './interpret/page/printed-date.ts';
import { type JudgedTable, judgeLists } from './judging/judge-table.ts';
import { lacksPages } from './judging/lacks-pages.ts';
import type { DrugMaster } from './master/drug-master.ts';
import { knownDrugsOf } from './master/known-drugs.ts';
import type { PageReading } from './reading/table-reader.ts';
import type { Template } from './reading/template.ts';

export interface JudgeDates {
  /** ISO date in Korea. */
  readonly today: string;
  /** ISO date that the caller gives: of the treatment, the prescription or the claim. */
  readonly serviceDate?: string | undefined;
}

/**
 * Interprets a reading: finds the drug table, judges its lines by the prices of the sheet's date, sums up. Pure.
 * @param learned the drug table by the network of tables; null: by the rules alone.
 */
export function judgePage(
  reading: PageReading,
  template: Template,
  master: DrugMaster,
  dates: JudgeDates,
  learned: DrugTable | null = null,
): JudgedPage {
  const serviceDate = serviceDateOf(reading, dates);
  const { interpreted, judged } = bestPage(reading, template, master, serviceDate.date, learned);
  const { documentType, documentKind, table } = interpreted;
  const isFirstOfMore = reading.image.issues.includes('multiple_pages');
  const { items, findings, summary } = isFirstOfMore ? lacksPages(judged) : judged;
  return {
    documentType,
    foundTable: table !== null,
    items,
    findings,
    summary,
    geometry: reading.geometry,
    meta: {
      documentKind,
      imageReadable: reading.image.readable,
      imageIssues: reading.image.issues,
      rotationApplied: reading.geometry.rotation,
      cropped: reading.geometry.crop !== null,
      template: template.id,
      serviceDate,
      ...(reading.service && { readingService: reading.service }),
    },
  };
}

interface Choice {
  readonly interpreted: InterpretedPage;
  readonly judged: JudgedTable;
}

/** The reading of the rules, or that of the network if it proves more and as many of its lines are GREEN. */
function bestPage(
  reading: PageReading,
  template: Template,
  master: DrugMaster,
  date: string,
  learned: DrugTable | null,
): Choice {
  const known = knownDrugsOf(master);
  const choiceOf = (interpreted: InterpretedPage): Choice => ({
    interpreted,
    judged: judgeLists(interpreted.lists, master, date),
  });
  const greensOf = ({ judged }: Choice) => judged.summary.byStatus.green;
  const byRules = choiceOf(interpretPage(reading, template, known));
  if (learned === null || !isBetterReading(learned, byRules.interpreted.lists, known)) return byRules;
  const page = learnedPage(reading, learned, known);
  const byNetwork = page && choiceOf(page);
  return byNetwork && greensOf(byNetwork) >= greensOf(byRules) ? byNetwork : byRules;
}

/** The date whose prices hold: the caller's, else the sheet's own, else today. */
function serviceDateOf(reading: PageReading, { today, serviceDate }: JudgeDates): ServiceDate {
  if (serviceDate !== undefined) return { date: serviceDate, source: 'request' };
  const printed = printedDate(reading, today);
  return printed === null ? { date: today, source: 'today' } : { date: printed, source: 'sheet' };
}

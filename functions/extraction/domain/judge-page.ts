import { choosePage } from './choose-page.ts';
import type { JudgedPage, ServiceDate } from './extraction.ts';
import type { LearnedReading } from './interpret/learned/learned-reading.ts';
import { printedDate } from './interpret/page/printed-date.ts';
import { lacksPages } from './judging/lacks-pages.ts';
import type { DrugMaster } from './master/drug-master.ts';
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
 * @param learned the network's reading; null: by the rules alone.
 */
export function judgePage(
  reading: PageReading,
  template: Template,
  master: DrugMaster,
  dates: JudgeDates,
  learned: LearnedReading | null = null,
): JudgedPage {
  const serviceDate = serviceDateOf(reading, dates);
  const { interpreted, judged } = choosePage(reading, template, master, serviceDate.date, learned);
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

/** The date whose prices hold: the caller's, else the sheet's own, else today. */
export function serviceDateOf(reading: PageReading, { today, serviceDate }: JudgeDates): ServiceDate {
  if (serviceDate !== undefined) return { date: serviceDate, source: 'request' };
  const printed = printedDate(reading, today);
  return printed === null ? { date: today, source: 'today' } : { date: printed, source: 'sheet' };
}

import { type Answerer, choosePage } from './choose-page.ts';
import type { LearnedReading } from './interpret/learned/learned-reading.ts';
import type { PrintLabel } from './interpret/learned/print-labels.ts';
import { type TableTrace, traceTable } from './interpret/trace.ts';
import { type JudgeDates, serviceDateOf } from './judge-page.ts';
import type { DrugMaster } from './master/drug-master.ts';
import type { PageReading } from './reading/table-reader.ts';
import type { Template } from './reading/template.ts';

/** How a page was interpreted: for people who ask why its drugs were found or not. */
export interface PageTrace {
  /** Whose lines were answered: the rules', or the network's. */
  readonly answeredBy: Answerer;
  /** Every table of the page that the rules considered, in that order. */
  readonly tables: readonly TableTrace[];
  /** Null where the network was not asked, such as on a page of too many prints. */
  readonly network: NetworkTrace | null;
  /** Codes of drugs that were found on the page, and that no line of the answer has. */
  readonly lostCodes: readonly string[];
  /** Lines of text outside of all tables. */
  readonly textCount: number;
}

/** The network's part of a trace. */
export interface NetworkTrace {
  /** 0: it found no drugs. */
  readonly lineCount: number;
  /** Of every print on the page. */
  readonly labels: readonly PrintLabel[];
}

/** Interprets a page once more and records the intermediate results. @param learned the network's reading; null: it was not asked. */
export function explainPage(
  reading: PageReading,
  template: Template,
  master: DrugMaster,
  dates: JudgeDates,
  learned: LearnedReading | null = null,
): PageTrace {
  const tables: TableTrace[] = [];
  const { date } = serviceDateOf(reading, dates);
  const { by, lostCodes } = choosePage(reading, template, master, date, learned, (candidate) =>
    tables.push(traceTable(candidate, template)),
  );
  const network = learned && { lineCount: learned.table?.lines.length ?? 0, labels: learned.labels };
  return { answeredBy: by, tables, network, lostCodes, textCount: reading.texts.length };
}

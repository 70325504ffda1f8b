import type { InterpretedPage } from './interpret/interpret-page.ts';
import { interpretPage } from './interpret/interpret-page.ts';
import { isBetterReading, type ProvenLines } from './interpret/learned/better-reading.ts';
import { learnedPage } from './interpret/learned/learned-page.ts';
import type { LearnedReading } from './interpret/learned/learned-reading.ts';
import type { Candidate } from './interpret/trace.ts';
import { type JudgedTable, judgeLists } from './judging/judge-table.ts';
import { lostCodes } from './lost-codes.ts';
import type { DrugMaster } from './master/drug-master.ts';
import { knownDrugsOf } from './master/known-drugs.ts';
import type { PageReading } from './reading/table-reader.ts';
import type { Template } from './reading/template.ts';

/** The finder of an answer's lines: the rules, or the network of tables. */
export type Answerer = 'rules' | 'network';

/** The reading of a page that is answered. */
export interface ChosenPage {
  readonly by: Answerer;
  readonly interpreted: InterpretedPage;
  readonly judged: JudgedTable;
  /** Codes of drugs that either reading found on the page, and no line has. */
  readonly lostCodes: readonly string[];
}

/**
 * The reading of the rules, or that of the network if it proves more. Lines from which a code is missing
 * are not complete.
 * @param date ISO date of the sheet; decides which price is in force.
 * @param learned null: by the rules alone.
 * @param observe is called with every table that the rules considered.
 */
export function choosePage(
  reading: PageReading,
  template: Template,
  master: DrugMaster,
  date: string,
  learned: LearnedReading | null,
  observe?: (candidate: Candidate) => void,
): ChosenPage {
  const known = knownDrugsOf(master);
  const choiceOf = (by: Answerer, interpreted: InterpretedPage) => ({
    by,
    interpreted,
    judged: judgeLists(interpreted.lists, master, date),
  });
  const byRules = choiceOf('rules', interpretPage(reading, template, known, observe));
  const page = learned?.table ? learnedPage(reading, learned.table, known) : null;
  const byNetwork = page && choiceOf('network', page);
  const chosen =
    byNetwork && isBetterReading(provenLines(byNetwork), provenLines(byRules), known) ? byNetwork : byRules;
  const printed = [...byRules.interpreted.codes, ...(learned?.codes ?? [])];
  const { interpreted, judged } = chosen;
  const lines = interpreted.lists.flatMap((list) => [...list.lines, ...(list.fees ?? [])]);
  const lost =
    lines.length === 0
      ? []
      : lostCodes(
          printed,
          lines,
          judged.items.map(({ drugCode }) => drugCode),
        );
  return { ...chosen, judged: lost.length > 0 ? incomplete(judged) : judged, lostCodes: lost };
}

function provenLines({ interpreted, judged }: Pick<ChosenPage, 'interpreted' | 'judged'>): ProvenLines {
  return { lines: interpreted.lists.flatMap(({ lines }) => lines), greens: judged.summary.byStatus.green };
}

function incomplete(judged: JudgedTable): JudgedTable {
  return { ...judged, summary: { ...judged.summary, completeExtraction: false } };
}

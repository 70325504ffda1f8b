import type { PageTrace } from './explain-page.ts';
import type { JudgedPage } from './extraction.ts';
import type { TableNetwork } from './interpret/learned/table-network.ts';
import type { JudgeDates } from './judge-page.ts';
import type { DrugMasterSource } from './master/drug-master-source.ts';
import type { OwnLists } from './master/own-list.ts';
import type { ReadOptions, TableReader } from './reading/table-reader.ts';
import type { Template } from './reading/template.ts';

/** Reads page images, and judges their lines by the drug master in force. */
export interface PageJudge {
  /**
   * @param image the uploaded bytes, undecoded.
   * @throws ImageRefused, ReaderUnavailable as TableReader does; DrugMasterMissing before anything is read.
   */
  judge(image: Uint8Array, template: Template, options: JudgeOptions): Promise<Judgement>;
}

export interface JudgeOptions extends ReadOptions, JudgeDates {
  /** With the trace of how the page was interpreted. */
  readonly explained?: boolean | undefined;
}

export interface Judgement {
  readonly page: JudgedPage;
  /** Null when it was not asked for. */
  readonly trace: PageTrace | null;
}

export interface JudgeParts {
  /** The reader of a template's sheets. */
  readonly readerFor: (template: Template) => Promise<TableReader>;
  readonly source: DrugMasterSource;
  readonly ownLists: OwnLists;
  readonly tableNetwork: () => Promise<TableNetwork>;
}

/** Judges in this process what a reader reads. */
export function judgeInProcess({ readerFor, source, ownLists, tableNetwork }: JudgeParts): PageJudge {
  return {
    async judge(image, template, { today, serviceDate, explained, ...options }) {
      const { workspaceId } = options;
      const [reader, official, own] = await Promise.all([
        readerFor(template),
        source.current(),
        workspaceId === undefined ? null : ownLists.of(workspaceId),
      ]);
      // What interprets a page is loaded while the first one is read: no request before that needs it.
      const [reading, { judgePage }, { learnedReading }, { knownDrugsOf }, network] = await Promise.all([
        reader.read(image, template, options),
        import('./judge-page.ts'),
        import('./interpret/learned/learned-reading.ts'),
        import('./master/known-drugs.ts'),
        tableNetwork(),
      ]);
      const { layered, withOwnListNotes } = await import('./master/own-list.ts');
      const master = own === null ? official : layered(official, own);
      const learned = await learnedReading(reading, network, knownDrugsOf(master));
      const dates = { today, serviceDate };
      const judged = withPage(judgePage(reading, template, master, dates, learned), options.page);
      const noted = own === null ? judged : withOwnListNotes(judged, official, own, today);
      const { linePlaces } = await import('./line-places.ts');
      const places = linePlaces(reading, noted.items);
      const page = places === null ? noted : { ...noted, ...places };
      if (!explained) return { page, trace: null };
      const { explainPage } = await import('./explain-page.ts');
      return { page, trace: explainPage(reading, template, master, dates, learned) };
    },
  };
}

function withPage(judged: JudgedPage, page: number | undefined): JudgedPage {
  return page === undefined ? judged : { ...judged, meta: { ...judged.meta, page } };
}

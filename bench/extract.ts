/**
 * Reads corpus pages through the real pipeline and prints how much was right, class by class:
 * `npm run bench extract -- [--split untuned] [--class screen] [--limit 10] [--pages folder] [--reader embedded|truth|misread]
 * [--readings folder] [--look-alikes] [--master file|shipped] [--mistakes 20] [--reviews 5] [--json file]`.
 *
 * `--limit` takes that many pages of each class. `--reader truth` leaves the reading out and measures judging alone; `misread` does so
 * with letters misread as surely as ever. `--readings` keeps what the embedded reader reads, and reads no page again that is kept
 * there. `--look-alikes` adds to the list, for each drug that the pages print, all codes one digit apart, so that a misread digit
 * is never caught by being unknown; `--master` judges by another list than the one that the pages were written against.
 * `--mistakes` lists that many of each page, for pages that may be looked at; `--reviews` lists, of the right lines that are not
 * GREEN, that many for each reason.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { DrugMaster } from '../functions/extraction/domain/master/drug-master.ts';
import type { PageReading, TableReader } from '../functions/extraction/domain/reading/table-reader.ts';
import { oneOf, wholeNumber } from './arguments.ts';
import { chosenMaster } from './chosen-master.ts';
import { CORPUS_TODAY } from './corpus/master.ts';
import { Random } from './corpus/random.ts';
import { PAGE_CLASSES, type PageClass, SPLITS } from './corpus/truth.ts';
import { embeddedReader, extractPage } from './embedded-extract.ts';
import { keepingReader } from './kept-readings.ts';
import { withLookAlikes } from './look-alikes.ts';
import { misreadingReader } from './misreading-reader.ts';
import { type CorpusPage, corpusPages, masterFile } from './pages.ts';
import { printReport } from './scoring/print-report.ts';
import { report } from './scoring/report.ts';
import { exampleLines } from './scoring/reviews.ts';
import { type PageScore, type ScoredAnswer, scorePage } from './scoring/score-page.ts';
import { truthReader } from './truth-reader.ts';

type Extract = (page: CorpusPage) => Promise<{ readonly answer: ScoredAnswer; readonly reading: PageReading | null }>;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      split: { type: 'string', default: 'untuned' },
      class: { type: 'string' },
      limit: { type: 'string' },
      reader: { type: 'string', default: 'embedded' },
      readings: { type: 'string' },
      pages: { type: 'string' },
      json: { type: 'string' },
      mistakes: { type: 'string', default: '0' },
      'look-alikes': { type: 'boolean', default: false },
      master: { type: 'string' },
      reviews: { type: 'string', default: '5' },
    },
  });
  const folder = values.pages ?? `corpus/${oneOf(SPLITS, values.split, '--split')}`;
  const classes = values.class === undefined ? PAGE_CLASSES : [oneOf(PAGE_CLASSES, values.class, '--class')];
  const limit = values.limit === undefined ? undefined : wholeNumber(values.limit, '--limit');
  const mistakesShown = wholeNumber(values.mistakes, '--mistakes');
  const reviewsShown = wholeNumber(values.reviews, '--reviews');
  const pages = chosenPages(corpusPages(folder), classes, limit);
  const listed = await chosenMaster(values.master ?? masterFile(folder));
  const master = values['look-alikes'] ? withLookAlikes(listed, printedCodes(pages)) : listed;
  const scores = await scorePages(pages, await extractor(values.reader, values.readings, master));

  const found = classes.filter((pageClass) => scores.some((score) => score.class === pageClass));
  const groups = found.map((name) => [name, report(scores.filter((score) => score.class === name))] as const);
  const reports = Object.fromEntries([...groups, ['all', report(scores)]]);
  console.log(`\n${folder}, reader ${values.reader}\n${printReport(reports)}`);
  const listing = scores.flatMap(({ id, mistakes }) => mistakes.slice(0, mistakesShown).map((one) => `${id} ${one}`));
  if (listing.length > 0) console.log(listing.join('\n'));
  const reviews = exampleLines(reports.all!.rightLinesNotGreen, reviewsShown);
  if (reviews.length > 0) console.log(reviews.join('\n'));
  const peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`peak memory of the reading process: ${peakMemoryMb} MB`);
  if (values.json)
    writeFileSync(
      values.json,
      `${JSON.stringify({ folder, reader: values.reader, peakMemoryMb, reports, scores }, null, 1)}\n`,
    );
}

function printedCodes(pages: readonly CorpusPage[]): readonly string[] {
  return pages.flatMap(({ truth }) => truth.table?.rows ?? []).flatMap(({ item }) => item.drugCode ?? []);
}

function chosenPages(
  pages: readonly CorpusPage[],
  classes: readonly PageClass[],
  limit: number | undefined,
): readonly CorpusPage[] {
  const chosen = classes.flatMap((name) => pages.filter(({ truth }) => truth.class === name).slice(0, limit));
  if (chosen.length === 0) throw new Error(`No page is of class ${classes.join(', ')}.`);
  return chosen;
}

/** One page after the other, as a caller would wait for it. A page that fails costs all its points, not the run. */
async function scorePages(pages: readonly CorpusPage[], extract: Extract): Promise<readonly PageScore[]> {
  const scores: PageScore[] = [];
  for (const page of pages) {
    const start = performance.now();
    let extracted: Awaited<ReturnType<Extract>> | null = null;
    let failure: string | null = null;
    try {
      extracted = await extract(page);
    } catch (error) {
      failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    const seconds = (performance.now() - start) / 1000;
    scores.push(scorePage(page.truth, extracted?.answer ?? null, seconds, failure, extracted?.reading));
    if (process.stderr.isTTY) process.stderr.write(`\r${scores.length} of ${pages.length} pages`);
  }
  return scores;
}

async function extractor(reader: string, readings: string | undefined, master: DrugMaster): Promise<Extract> {
  const readerOf = await tableReader(reader, readings);
  return async (page) => {
    let reading: PageReading | null = null;
    const reader: TableReader = {
      read: async (image, template) => (reading = await readerOf(page).read(image, template)),
    };
    return { answer: await extractPage(page.bytes(), reader, master, CORPUS_TODAY), reading };
  };
}

async function tableReader(name: string, readings: string | undefined): Promise<(page: CorpusPage) => TableReader> {
  const known = oneOf(['embedded', 'truth', 'misread'], name, '--reader');
  if (known === 'truth') return ({ truth }) => truthReader(truth);
  if (known === 'misread')
    return ({ truth }) => misreadingReader(truthReader(truth), new Random(`misread ${truth.id}`));
  const embedded = await embeddedReader();
  const reader = readings === undefined ? embedded : keepingReader(embedded, readings);
  return () => reader;
}

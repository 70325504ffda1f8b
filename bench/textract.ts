/**
 * `npm run bench textract -- [--recorded folder] [--pages test/fixtures/pages]`: what Amazon Textract adds to our own reader, without a call
 * of it. First what the mapping makes of recorded answers in a folder of AnalyzeDocument's JSON (skipped where there is none). Then pages of
 * the corpus, read by our own reader alone and with an answer of Textract that is right in every cell and digit: the most that it can add.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Block, TextractClient } from '@aws-sdk/client-textract';
import { decodeImage } from '../functions/adapters/codecs/decode-image.ts';
import { onnxModels } from '../functions/adapters/readers/onnx-models.ts';
import { tablesOf, turnOf } from '../functions/adapters/readers/textract-blocks.ts';
import { TextractReader } from '../functions/adapters/readers/textract-reader.ts';
import type { TableReader } from '../functions/extraction/domain/reading/table-reader.ts';
import { textractBlocks } from '../test/helpers/service-answers.ts';
import { chosenMaster } from './chosen-master.ts';
import { CORPUS_TODAY } from './corpus/master.ts';
import { embeddedReader, extractPage } from './embedded-extract.ts';
import { type CorpusPage, corpusPages, masterFile } from './pages.ts';
import { printReport } from './scoring/print-report.ts';
import { report } from './scoring/report.ts';
import { scorePage } from './scoring/score-page.ts';

/** The mapping needs a size; recorded answers come without their pictures. */
const A4 = { width: 1240, height: 1754 };
/** Upright and straight pages: the places of their truth are those of the page that Textract is sent. */
const STRAIGHT = 'screen';

const { values } = parseArgs({
  options: {
    recorded: { type: 'string', default: 'textract-samples' },
    pages: { type: 'string', default: 'test/fixtures/pages' },
  },
});
mapRecorded(values.recorded);
await comparePages(values.pages);

function mapRecorded(folder: string): void {
  if (!existsSync(folder)) {
    console.log(`Recorded answers: skipped, there is no folder ${folder}. Name one with --recorded.\n`);
    return;
  }
  console.log(`Recorded answers of ${folder}`);
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { Blocks = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { Blocks?: readonly Block[] };
    const drawn = Blocks.filter(({ BlockType }) => BlockType === 'CELL').length;
    if (drawn === 0) continue;
    const started = performance.now();
    const turn = turnOf(Blocks);
    const tables = tablesOf(Blocks, turn, A4);
    const ms = performance.now() - started;
    const cells = tables.flatMap((table) => table.cells);
    const merged = cells.filter(({ rowSpan, columnSpan }) => rowSpan * columnSpan > 1).length;
    const numbers = cells.filter(({ reading }) => /\d/.test(reading.text)).length;
    console.log(
      `  ${file.padEnd(45)} ${tables.length} tables, ${cells.length} of ${drawn} cells (${merged} merged), ${numbers} with digits, turned ${turn}°, ${ms.toFixed(1)} ms`,
    );
  }
  console.log();
}

async function comparePages(folder: string): Promise<void> {
  const pages = corpusPages(folder).filter(({ truth }) => truth.class === STRAIGHT && truth.table !== null);
  const own = await embeddedReader();
  const models = await onnxModels();
  const withTextract = ({ truth }: CorpusPage) =>
    new TextractReader({ client: answering(textractBlocks(truth)), decode: decodeImage, ...models });
  const reports = {
    own: await scored(pages, () => own, folder),
    'with Textract': await scored(pages, withTextract, folder),
  };
  console.log(
    `${pages.length} straight pages of ${folder}, Textract right in every cell and digit\n${printReport(reports)}`,
  );
}

async function scored(pages: readonly CorpusPage[], readerOf: (page: CorpusPage) => TableReader, folder: string) {
  const master = await chosenMaster(masterFile(folder));
  const scores = [];
  for (const page of pages) {
    const started = performance.now();
    const answer = await extractPage(page.bytes(), readerOf(page), master, CORPUS_TODAY);
    scores.push(scorePage(page.truth, answer, (performance.now() - started) / 1000, null));
  }
  return report(scores);
}

function answering(Blocks: Block[]): TextractClient {
  return { send: async () => ({ Blocks }) } as unknown as TextractClient;
}

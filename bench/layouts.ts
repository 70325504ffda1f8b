/**
 * Compares the two ways from prints to lines and the better of both, on the same prints: `npm run bench layouts -- <folder> ... [--readings folder]`. A
 * folder holds pages of `npm run corpus`, or pictures and a truth.json. `there` counts the lines whose strings were read, near
 * each other: a lower bound. Without folders it takes corpus/untuned.
 */
import { parseArgs } from 'node:util';
import { OnnxTableNetwork } from '../functions/adapters/readers/onnx-table-network.ts';
import type { DrugTable } from '../functions/extraction/domain/drug-line.ts';
import { interpretPage } from '../functions/extraction/domain/interpret/interpret-page.ts';
import { learnedReading } from '../functions/extraction/domain/interpret/learned/learned-reading.ts';
import { printsOf } from '../functions/extraction/domain/interpret/print.ts';
import { judgePage } from '../functions/extraction/domain/judge-page.ts';
import { judgeLists } from '../functions/extraction/domain/judging/judge-table.ts';
import { knownDrugsOf } from '../functions/extraction/domain/master/known-drugs.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../functions/extraction/domain/templates.ts';
import { CORPUS_TODAY } from './corpus/master.ts';
import { embeddedReader } from './embedded-extract.ts';
import { keepingReader } from './kept-readings.ts';
import { type LayoutSet, layoutSet } from './scoring/layout-pages.ts';
import { type LayoutScore, scoreLayout, stringsThere } from './scoring/score-layout.ts';

const WAYS = ['rules', 'learned', 'better'] as const;

const TIMED = ['rules', 'learned'] as const;
const DATES = { today: CORPUS_TODAY, serviceDate: CORPUS_TODAY };

type Way = (typeof WAYS)[number];

interface PageScore extends Record<Way, LayoutScore> {
  readonly layout: string;
  readonly lines: number;
  readonly there: number;
  readonly seconds: Readonly<Record<'rules' | 'learned', number>>;
}

const RULES = `lines: right when the code (the name, where no code is printed) and all printed numbers are; there: their strings were read near each
other; better: what the service answers; invented: lines of the answer that stand for no line of the page; GREEN, wrongGRN: after judging; ms: from
prints to lines, a page.`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { readings: { type: 'string' } } });
  const embedded = await embeddedReader();
  const reader = values.readings === undefined ? embedded : keepingReader(embedded, values.readings);
  const network = await OnnxTableNetwork.load(undefined, { threads: 1 });
  const template = knownTemplate(DEFAULT_TEMPLATE_ID);
  const all: PageScore[] = [];
  console.log(headings());
  for (const folder of positionals.length > 0 ? positionals : ['corpus/untuned']) {
    const set = await layoutSet(folder);
    const scores = await scoresOf(set);
    for (const layout of new Set(scores.map((score) => score.layout)))
      console.log(
        lineOf(
          `  ${layout}`,
          scores.filter((score) => score.layout === layout),
        ),
      );
    console.log(lineOf(folder.split('/').slice(-2).join('/'), scores));
    all.push(...scores);
  }
  console.log(lineOf('all', all));
  console.log(RULES);

  async function scoresOf({ pages, master }: LayoutSet): Promise<readonly PageScore[]> {
    const known = knownDrugsOf(master);
    const scores: PageScore[] = [];
    for (const page of pages) {
      const reading = await page.read(reader, template);
      const started = performance.now();
      const { lists } = interpretPage(reading, template, known);
      const between = performance.now();
      const read = await learnedReading(reading, network, known);
      const ended = performance.now();
      const itemsOf = (tables: readonly DrugTable[]) => judgeLists(tables, master, CORPUS_TODAY).items;
      scores.push({
        layout: page.layout,
        lines: page.rows.length,
        there: stringsThere(page.rows, printsOf(reading)),
        rules: scoreLayout(page.rows, itemsOf(lists)),
        learned: scoreLayout(page.rows, itemsOf(read?.table ? [read.table] : [])),
        better: scoreLayout(page.rows, judgePage(reading, template, master, DATES, read).items),
        seconds: { rules: (between - started) / 1000, learned: (ended - between) / 1000 },
      });
    }
    return scores;
  }
}

function headings(): string {
  const cells = ['pages', 'lines', 'there', ...WAYS, ...WAYS.map(() => 'invented'), ...WAYS.map(() => 'GREEN')];
  return row('', [...cells, ...WAYS.map(() => 'wrongGRN'), ...TIMED.map(() => 'ms')]);
}

function lineOf(label: string, scores: readonly PageScore[]): string {
  const sum = (value: (score: PageScore) => number) => scores.reduce((total, score) => total + value(score), 0);
  const each = (value: (score: LayoutScore) => number) => WAYS.map((way) => sum((score) => value(score[way])));
  return row(label, [
    scores.length,
    sum(({ lines }) => lines),
    sum(({ there }) => there),
    ...each(({ right }) => right),
    ...each(({ invented }) => invented),
    ...each(({ green }) => green),
    ...each(({ wrongGreen }) => wrongGreen),
    ...TIMED.map((way) => ((1000 * sum(({ seconds }) => seconds[way])) / Math.max(1, scores.length)).toFixed(0)),
  ]);
}

function row(label: string, cells: readonly (string | number)[]): string {
  return label.slice(0, 40).padEnd(42) + cells.map((cell) => String(cell).padStart(9)).join('');
}

/**
 * Reads real pages as the service does and prints how much was right, page by page and in all:
 * `npm run bench real -- <folder> [--file part-of-a-name] [--mistakes 20] [--master file|shipped] [--readings folder]
 * [--json file]`. The folder
 * holds pictures and a truth.json. Without `--master` the list knows the drugs that the pages print and, for each, all codes one
 * digit apart: a published list has most of them, and no misread digit is caught by being unknown.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wholeNumber } from './arguments.ts';
import { chosenMaster } from './chosen-master.ts';
import { CORPUS_TODAY } from './corpus/master.ts';
import { embeddedReader, extractPage } from './embedded-extract.ts';
import { keepingReader } from './kept-readings.ts';
import { printedDrugs } from './look-alikes.ts';
import { realPages } from './scoring/real-truth.ts';
import type { Count } from './scoring/score-page.ts';
import { type RealAnswer, type RealScore, scoreReal } from './scoring/score-real.ts';

const HEADINGS = [
  'lines',
  'fields',
  'names',
  'false',
  'invented',
  'type',
  'table',
  'billed',
  'GREEN',
  'rightGRN',
  'wrongGRN',
  's',
];
const RULES = `lines: code exact (name, where no code is printed); fields: printed numbers of those lines; names: of those lines,
compared without blanks; false: lines of the answer that are none of the page; invented: numbers that the page does not
print; type, table: documentType and foundTable right; billed: pages without drugs taken for a drug table;
rightGRN: GREEN ones of the lines that were read right in all; wrongGRN: GREEN lines that differ in more than the marks or the spelling of a unit in their name.`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: 'string', default: '' },
      mistakes: { type: 'string', default: '0' },
      master: { type: 'string' },
      readings: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('Usage: npm run bench real -- <folder with pictures and truth.json>');
  const all = realPages(folder);
  const pages = all.filter(({ file }) => file.includes(values.file));
  if (pages.length === 0) throw new Error(`${folder} names no page whose file has ${values.file} in it.`);
  const mistakesShown = wholeNumber(values.mistakes, '--mistakes');
  const master =
    values.master === undefined
      ? printedDrugs(all.flatMap(({ expected }) => expected.rows ?? []))
      : await chosenMaster(values.master);
  const embedded = await embeddedReader();
  const reader = values.readings === undefined ? embedded : keepingReader(embedded, values.readings);
  const scores: RealScore[] = [];
  console.log(`${'file'.padEnd(36)}${HEADINGS.map((heading) => heading.padStart(9)).join('')}`);
  for (const page of pages) {
    const image = readFileSync(join(folder, page.file));
    const start = performance.now();
    let answer: RealAnswer | null = null;
    let failure: string | null = null;
    try {
      answer = await extractPage(image, reader, master, CORPUS_TODAY);
    } catch (error) {
      failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    const score = scoreReal(page, answer, (performance.now() - start) / 1000);
    scores.push(score);
    console.log(lineOf(score.file, [score]));
    if (failure !== null) console.log(`  failed: ${failure}`);
    for (const mistake of score.mistakes.slice(0, mistakesShown)) console.log(`  ${mistake}`);
  }
  console.log(lineOf(`all ${scores.length} pages`, scores));
  for (const { file, wrongGreen } of scores)
    for (const one of wrongGreen) console.log(`wrong and GREEN: ${file} ${one}`);
  for (const { file, rightNotGreen } of scores)
    for (const one of rightNotGreen) console.log(`right, not GREEN: ${file} ${one}`);
  console.log(RULES);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(scores, null, 1)}\n`);
}

function lineOf(label: string, scores: readonly RealScore[]): string {
  const total = (value: (score: RealScore) => number) => scores.reduce((sum, score) => sum + value(score), 0);
  const count = (value: (score: RealScore) => Count) => {
    const of = total((score) => value(score).of);
    return of === 0 ? '-' : `${total((score) => value(score).right)}/${of}`;
  };
  const cells = [
    count(({ lines }) => lines),
    count(({ fields }) => fields),
    count(({ names }) => names),
    total(({ falseLines }) => falseLines),
    total(({ inventedValues }) => inventedValues),
    count(({ documentType }) => documentType),
    count(({ foundTable }) => foundTable),
    total(({ billedWithoutDrugs }) => Number(billedWithoutDrugs)),
    total(({ green }) => green),
    count(({ rightGreens }) => rightGreens),
    total(({ wrongGreen }) => wrongGreen.length),
    total(({ seconds }) => seconds).toFixed(1),
  ];
  return `${label.padEnd(36)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
}

/**
 * `npm run bench ablation -- --pages folder [--pages folder] [--real folder] [--kept folder] [--readings folder]
 * [--part interpret|reading|judging] [--asks] [--limit 10] [--only part-of-a-name] [--from name] [--skip part-of-a-name]
 * [--rare 10] [--rules file [--together]] [--json file]`: measures the worth of each rule of the reader.
 *
 * Reads the pages once, with everything on, and notes which functions did something on which page; then switches each of these off in
 * turn on its pages, and prints the lines and fields that it wins and loses, and wrong GREEN lines. A rule that wins nothing on hundreds
 * of fresh pages is removed.
 * `--kept` keeps the recogniser's readings, so that only the rest runs again, and `--readings` those of whole pages; `--limit` takes that
 * many pages of each class of a folder. `--asks` switches off the questions as well (`isRemark`): off, they say no.
 *
 * `--rare` tries those rules alone that did something on no more pages than that: most idle ones are among them.
 * `--rules` names a file of rules, one a line, to try no others; `--together` switches them all off at once, to see what rules win
 * jointly that win nothing alone.
 *
 * A loop may never end without the function that ends it: the run then takes all memory. Start again `--from` the rule behind the last that
 * was printed, and `--skip` that one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { JudgedPage } from '../functions/extraction/domain/extraction.ts';
import type { PageReading } from '../functions/extraction/domain/reading/table-reader.ts';
import { actedDuring, makeSwitchable, switchables, switchOff } from './ablation/switchable.ts';
import { wholeNumber } from './arguments.ts';

const DOMAIN = fileURLToPath(new URL('../functions/extraction/domain/', import.meta.url));
const PARTS = ['interpret', 'reading', 'judging'] as const;
type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  options: {
    pages: { type: 'string', multiple: true, default: [] },
    real: { type: 'string', multiple: true, default: [] },
    kept: { type: 'string', default: '.ablation' },
    readings: { type: 'string' },
    part: { type: 'string', default: 'interpret' },
    asks: { type: 'boolean', default: false },
    rare: { type: 'string' },
    limit: { type: 'string' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '' },
    skip: { type: 'string', multiple: true, default: [] },
    rules: { type: 'string' },
    together: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const part = values.part as Part;
if (part === 'reading' && values.readings !== undefined)
  throw new Error('--part reading reads every page anew: leave out --readings.');
if (!PARTS.includes(part)) throw new Error(`--part must be one of ${PARTS.join(', ')}.`);
makeSwitchable(DOMAIN, { asks: values.asks });

// Imported after the hook, so that their rules can be switched off.
const [
  { onnxModels },
  { decodeImage },
  { EmbeddedReader },
  { judgePage },
  { DEFAULT_TEMPLATE_ID, knownTemplate },
  { chosenMaster },
  { CORPUS_TODAY },
  { corpusPages },
  { realPages },
  { scorePage },
  { scoreReal },
  { keptLines },
  { keepingReader },
] = await Promise.all([
  import('../functions/adapters/readers/onnx-models.ts'),
  import('../functions/adapters/codecs/decode-image.ts'),
  import('../functions/adapters/readers/embedded-reader.ts'),
  import('../functions/extraction/domain/judge-page.ts'),
  import('../functions/extraction/domain/templates.ts'),
  import('./chosen-master.ts'),
  import('./corpus/master.ts'),
  import('./pages.ts'),
  import('./scoring/real-truth.ts'),
  import('./scoring/score-page.ts'),
  import('./scoring/score-real.ts'),
  import('./ablation/kept-lines.ts'),
  import('./kept-readings.ts'),
]);

/** Correct results of a page. */
interface Right {
  /** Lines without any mistake. */
  readonly lines: number;
  readonly fields: number;
  readonly greens: number;
  readonly wrongGreens: number;
  /** Pages with and without a table told apart. */
  readonly found: number;
}

interface Page {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly score: (answer: JudgedPage | null) => Right;
}

interface Worth extends Right {
  readonly rule: string;
  readonly linesLost: number;
  readonly pagesChanged: number;
  readonly pagesActedOn: number;
}

const template = knownTemplate(DEFAULT_TEMPLATE_ID);
const master = await chosenMaster('shipped');
const models = await onnxModels();
const recogniser = keptLines(models.recogniser, join(values.kept, 'lines.jsonl'));
const embedded = new EmbeddedReader({ decode: decodeImage, ...models, recogniser });
const reader = values.readings === undefined ? embedded : keepingReader(embedded, values.readings);
const pages = [...values.pages.flatMap(drawnPages), ...values.real.flatMap(photographedPages)];

switchOff();
const readings: (PageReading | null)[] = [];
if (part !== 'reading') for (const page of pages) readings.push(await reading(page));
const base = await answersOfAll();
console.log(`${pages.length} pages read`);
const rare = values.rare === undefined ? Number.POSITIVE_INFINITY : wholeNumber(values.rare, '--rare');
const wanted = values.rules === undefined ? null : namesIn(values.rules);
const rules = switchables()
  .map(({ name }) => name)
  .filter(
    (name) =>
      (wanted?.includes(name) ?? (name.startsWith(part) && name.includes(values.only) && name >= values.from)) &&
      !values.skip.some((skipped) => name.includes(skipped)) &&
      pagesActedOn([name]) <= rare,
  );
console.log(`${rules.length} rules of ${part}; right with all of them: ${JSON.stringify(sum(base.right))}`);
console.log('won: right only with the rule; lost: right only without it');
console.log(['lines won', 'lost', 'fields', 'GREEN', 'wrong GREEN', 'tables', 'pages', 'acted on', 'rule'].join('\t'));
const ledger: Worth[] = [];
const groups = values.together ? [rules] : rules.map((name) => [name]);
for (const names of groups) {
  const worth = await worthOf(names);
  ledger.push(worth);
  const { lines, linesLost, fields, greens, wrongGreens, found, pagesChanged, pagesActedOn } = worth;
  console.log(
    [lines, linesLost, fields, greens, wrongGreens, found, pagesChanged, pagesActedOn, worth.rule].join('\t'),
  );
}
const idle = ledger.filter(({ pagesChanged }) => pagesChanged === 0).length;
console.log(`${idle} of ${ledger.length} rules change no page`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(ledger, null, 1)}\n`);

function namesIn(file: string): readonly string[] {
  const names = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const known = new Set(switchables().map(({ name }) => name));
  for (const name of names) if (!known.has(name)) throw new Error(`No rule is named ${name}.`);
  return names;
}

async function worthOf(names: readonly string[]): Promise<Worth> {
  const without = await answersWithout(names);
  let [lines, linesLost] = [0, 0];
  if (values.together)
    base.shown.forEach((shown, index) => {
      if (shown !== without.shown[index])
        console.log(`${pages[index]!.id} ${base.right[index]!.lines} > ${without.right[index]!.lines}`);
    });
  base.right.forEach((right, index) => {
    const change = right.lines - without.right[index]!.lines;
    if (change > 0) lines += change;
    else linesLost -= change;
  });
  const [all, rest] = [sum(base.right), sum(without.right)];
  return {
    rule: names.join(' + '),
    lines,
    linesLost,
    fields: all.fields - rest.fields,
    greens: all.greens - rest.greens,
    wrongGreens: all.wrongGreens - rest.wrongGreens,
    found: all.found - rest.found,
    pagesChanged: base.shown.filter((shown, index) => shown !== without.shown[index]).length,
    pagesActedOn: pagesActedOn(names),
  };
}

function pagesActedOn(names: readonly string[]): number {
  return base.acted.filter((acted) => names.some((name) => acted.has(name))).length;
}

interface Answers {
  readonly right: readonly Right[];
  readonly shown: readonly string[];
}

async function answerOf(index: number): Promise<{ readonly right: Right; readonly shown: string }> {
  const page = pages[index]!;
  let answer: JudgedPage | null = null;
  try {
    const read = part === 'reading' ? await reading(page) : readings[index]!;
    const dates = { today: CORPUS_TODAY, serviceDate: CORPUS_TODAY };
    answer = read && judgePage(read, template, master, dates);
  } catch {
    // A page that fails has nothing right.
  }
  return { right: page.score(answer), shown: JSON.stringify(answer && [answer.documentType, answer.items]) };
}

/** The answers of all pages with everything on, and what did something on each. */
async function answersOfAll() {
  const [right, shown, acted]: [Right[], string[], ReadonlySet<string>[]] = [[], [], []];
  for (const index of pages.keys())
    acted.push(
      await actedDuring(async () => {
        const answer = await answerOf(index);
        right.push(answer.right);
        shown.push(answer.shown);
      }),
    );
  return { right, shown, acted };
}

/** The answers without some rules: anew only where one of them did something. */
async function answersWithout(names: readonly string[]): Promise<Answers> {
  const [right, shown] = [[...base.right], [...base.shown]];
  switchOff(...names);
  for (const [index, acted] of base.acted.entries())
    if (names.some((name) => acted.has(name))) {
      const answer = await answerOf(index);
      right[index] = answer.right;
      shown[index] = answer.shown;
    }
  switchOff();
  return { right, shown };
}

async function reading({ bytes }: Page): Promise<PageReading | null> {
  try {
    return await reader.read(bytes, template);
  } catch {
    return null;
  }
}

function drawnPages(folder: string): readonly Page[] {
  const limit = values.limit === undefined ? undefined : wholeNumber(values.limit, '--limit');
  const byClass = new Map<string, number>();
  return corpusPages(folder).flatMap(({ truth, bytes }) => {
    const taken = byClass.get(truth.class) ?? 0;
    if (limit !== undefined && taken >= limit) return [];
    byClass.set(truth.class, taken + 1);
    const score = (answer: JudgedPage | null): Right => {
      const { cells, mistakes, names, rows, greens, wrongGreen, foundTable } = scorePage(truth, answer, 0, null);
      const counts = Object.values(cells);
      const wrong = new Set(mistakes.map((mistake) => /^row \d+/.exec(mistake)?.[0] ?? mistake));
      return {
        lines: rows.of - wrong.size,
        fields: counts.reduce((total, { right }) => total + right, names.right),
        greens: greens.right,
        wrongGreens: wrongGreen.length,
        found: foundTable.right,
      };
    };
    return [{ id: truth.id, bytes: bytes(), score }];
  });
}

function photographedPages(folder: string): readonly Page[] {
  return realPages(folder).map((page) => ({
    id: page.file,
    bytes: readFileSync(join(folder, page.file)),
    score: (answer: JudgedPage | null): Right => {
      const { lines, fields, names, falseLines, rightGreens, wrongGreen, foundTable } = scoreReal(page, answer, 0);
      return {
        lines: lines.right - falseLines,
        fields: fields.right + names.right,
        greens: rightGreens.right,
        wrongGreens: wrongGreen.length,
        found: foundTable.right,
      };
    },
  }));
}

function sum(rights: readonly Right[]): Right {
  const total = (value: (right: Right) => number) => rights.reduce((all, right) => all + value(right), 0);
  return {
    lines: total((right) => right.lines),
    fields: total((right) => right.fields),
    greens: total((right) => right.greens),
    wrongGreens: total((right) => right.wrongGreens),
    found: total((right) => right.found),
  };
}

/**
 * Lines of print as the product cuts them out of drawn pages, with their texts: `node training/hangul/page-lines.ts <folder of pages>
 * <out>`. Writes `<out>.raw`, the lines' gray pixels one after the other, 48 high, and `<out>.jsonl`, for each line its `width`, its
 * `text` by the page's truth, and what the recogniser `read` there.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { PageTruth } from '../../bench/corpus/truth.ts';
import { corpusPages } from '../../bench/pages.ts';
import { decodeImage } from '../../functions/adapters/codecs/decode-image.ts';
import { EmbeddedReader } from '../../functions/adapters/readers/embedded-reader.ts';
import { onnxModels } from '../../functions/adapters/readers/onnx-models.ts';
import type { LineImage } from '../../functions/extraction/domain/reading/line-recogniser.ts';
import { resizeToHeight } from '../../functions/extraction/domain/reading/resize-line.ts';
import { editDistances } from '../../functions/extraction/domain/text/edit-distance.ts';

const LINE_HEIGHT = 48;
/** In letters: shorter texts do not identify a text of the page, unless they were read right. */
const MIN_LETTERS = 5;
/** Of a text's letters, how many may be misread in a line that is still known to be it. */
const MAX_MISREAD = 0.2;
/** The next likeliest text must differ by this multiple of letters plus one. */
const CLEARLY = 2;
/** A dose, how often a day and for how many days, with strokes between them. */
const DOSES = /^[\d.]+ ?\p{L}{0,2} ?\/ ?\d+ ?회? ?\/ ?\d+ ?일?$/u;

const [folder, out] = process.argv.slice(2);
if (!folder || !out) throw new Error('Usage: node training/hangul/page-lines.ts <folder of pages> <out>');

const { recogniser, layouts } = await onnxModels();
const raw = openSync(`${out}.raw`, 'w');
const list = openSync(`${out}.jsonl`, 'w');
let known = 0;
let seen = 0;

for (const page of corpusPages(folder)) {
  const texts = textsOf(page.truth);
  const reader = new EmbeddedReader({
    decode: decodeImage,
    layouts,
    recogniser: {
      async recognise(lines: readonly LineImage[]) {
        const readings = await recogniser.recognise(lines);
        readings.forEach(({ text }, n) => {
          seen += 1;
          const printed = printedText(text.text, texts);
          if (printed !== null) save(lines[n]!, printed, text.text);
        });
        return readings;
      },
    },
  });
  await reader.read(page.bytes());
}
closeSync(raw);
closeSync(list);
console.log(`${known} of ${seen} lines are known`);

function save(line: LineImage, text: string, read: string): void {
  const { width, pixels } = resizeToHeight(line, LINE_HEIGHT);
  writeSync(raw, pixels);
  writeSync(list, `${JSON.stringify({ width, text, read })}\n`);
  known += 1;
}

/** Everything that a line of the page may hold. */
function textsOf({ table, texts }: PageTruth): readonly string[] {
  const cells = table?.grid.cells.map(({ text }) => text) ?? [];
  const fields = table?.rows.flatMap((row) => Object.values(row.cells).map(({ text }) => text)) ?? [];
  const lines = texts?.map(({ text }) => text) ?? [];
  return [...new Set([...cells, ...fields, ...lines].flatMap((text) => text.split('\n')).map(bare))].filter(
    (text) => text !== '',
  );
}

/** The text of the page that was read, misread letters put right. @returns null where it may be several, or none. */
function printedText(read: string, texts: readonly string[]): string | null {
  const letters = bare(read);
  if (texts.includes(letters)) return letters;
  const doses = texts.filter((text) => DOSES.test(text) && strokesMisread(text).test(letters));
  if (doses.length === 1) return doses[0]!;
  if (letters.length < MIN_LETTERS) return null;
  const near = texts
    .filter((text) => text.length >= MIN_LETTERS && Math.abs(text.length - letters.length) <= 2)
    .map((text) => ({ text, misread: editDistances(letters, text).whole }))
    .sort((a, b) => a.misread - b.misread);
  const [best, next] = near;
  if (!best || best.misread > Math.max(1, MAX_MISREAD * best.text.length)) return null;
  return next && next.misread < CLEARLY * best.misread + 1 ? null : best.text;
}

/** The possible readings of a text with strokes whose strokes are mistaken for something else. */
function strokesMisread(text: string): RegExp {
  const parts = text.split(/ ?\/ ?/).map((part) => part.replaceAll('.', String.raw`[.,]+`));
  return new RegExp(`^${parts.join(' ?[/71Il.,]{0,2} ?')}$`);
}

function bare(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Measures what our recogniser makes of print, for the generator's noise: `node training/tables/misreadings.ts <pages of npm run corpus>
 * <folder of kept readings> training/tables/noise.json`. Rates are averages over the tuned split, whose fonts training may see.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { embeddedReader } from '../../bench/embedded-extract.ts';
import { keepingReader } from '../../bench/kept-readings.ts';
import { corpusPages } from '../../bench/pages.ts';
import { printsOf } from '../../functions/extraction/domain/interpret/print.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../../functions/extraction/domain/templates.ts';
import { editDistances } from '../../functions/extraction/domain/text/edit-distance.ts';

/** Shorter texts are found by chance. */
const MIN_LENGTH = 3;
/** Of its letters: a print farther off is another one. */
const MAX_DISTANCE = 0.34;
/** Confusions seen more rarely may be chance. */
const MIN_SEEN = 2;

const [folder, readings, out] = parseArgs({ allowPositionals: true }).positionals;
if (!folder || !readings || !out) throw new Error('Usage: misreadings.ts <pages> <readings> <noise.json>');

const reader = keepingReader(await embeddedReader(), readings);
const tally = { texts: 0, letters: 0, wrong: 0, blanks: 0, blanksLost: 0, missed: 0, spaced: 0, cut: 0, joined: 0 };
const confusions = new Map<string, Map<string, number>>();

for (const page of corpusPages(folder)) {
  const reading = await reader.read(page.bytes(), knownTemplate(DEFAULT_TEMPLATE_ID));
  const prints = printsOf(reading).map(({ text }) => text);
  const folded = prints.map(fold);
  for (const text of (page.truth.table?.grid.cells ?? []).flatMap((cell) => cell.text.split('\n'))) {
    const wanted = fold(text);
    if (wanted.length < MIN_LENGTH) continue;
    tally.texts++;
    if (text.includes(' ')) tally.spaced++;
    const distances = folded.map((one) => editDistances(one, wanted).whole);
    const at = distances.indexOf(Math.min(...distances));
    if (at >= 0 && distances[at]! <= MAX_DISTANCE * wanted.length) compare(text, prints[at]!);
    else if (folded.some((one) => one.length > wanted.length && one.includes(wanted))) tally.joined++;
    else if (folded.some((one) => one.length >= MIN_LENGTH && wanted.includes(one))) tally.cut++;
    else tally.missed++;
  }
}

const share = (part: number, of: number) => Number((part / Math.max(1, of)).toFixed(4));
const noise = {
  letter: share(tally.wrong, tally.letters),
  missed: share(tally.missed, tally.texts),
  'blank lost': share(tally.blanksLost, tally.blanks),
  'cut at blank': share(tally.cut, tally.spaced),
  joined: 0.5,
  confusions: Object.fromEntries(
    [...confusions].flatMap(([letter, others]) => {
      const often = [...others].filter(([, count]) => count >= MIN_SEEN);
      return often.length > 0 ? [[letter, Object.fromEntries(often)] as const] : [];
    }),
  ),
};
writeFileSync(out, `${JSON.stringify(noise, null, 1)}\n`);
console.log(JSON.stringify(tally));

function compare(printed: string, read: string): void {
  const [wanted, found] = [fold(printed), fold(read)];
  tally.letters += wanted.length;
  tally.wrong += editDistances(found, wanted).whole;
  tally.blanks += printed.split(' ').length - 1;
  tally.blanksLost += Math.max(0, printed.split(' ').length - read.split(' ').length);
  if (wanted.length !== found.length) return;
  for (const [index, letter] of [...wanted].entries()) {
    const other = found[index]!;
    if (other === letter) continue;
    const others = confusions.get(letter) ?? new Map<string, number>();
    confusions.set(letter, others.set(other, (others.get(other) ?? 0) + 1));
  }
}

function fold(text: string): string {
  return text.replace(/\s/g, '');
}

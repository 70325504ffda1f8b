/**
 * Renders `docs/sample-page.png`, the page that the README's first call reads: twelve drugs of the sample master at the
 * prices in force, nothing wrong with them. Usage: `node bench/corpus/sample-page.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { drawPaper } from './drawing/paper.ts';
import { fontsOf } from './fonts.ts';
import type { CorpusDrug } from './master.ts';
import { Random } from './random.ts';
import { composeSheet } from './sheet/sheet.ts';
import { DOSAGE_FORMS } from './vocabulary.ts';

/** Of a few that were looked at, the label whose page is plainest to see. */
const LABEL = 'sample page 25';
const PARTS = /^(?<brand>\D+)(?<strength>[\d./]+)(?<unit>[^(]+)\((?<ingredient>.+)\)_\((?<pack>.+)\)$/;

const drugs = sampleDrugs(new URL('../../layers/master/sample.csv', import.meta.url));
const master = { drugs: { tuned: drugs, untuned: [] }, byCode: new Map(drugs.map((drug) => [drug.code, drug])) };
const random = new Random(LABEL);
const body = fontsOf('tuned').find(({ family }) => family === 'NanumGothic')!;
const wish = { layoutId: 'dose-list', faulty: false, names: { parts: 'withoutPack', unit: 'latin' } } as const;
const sheet = composeSheet(random, master, 'tuned', 'scan', 12, wish);
const page = await drawPaper(random, sheet, { body, title: body }, 21, 'scan', 'tuned');
const { width, pixels } = page.raster;
const { box } = page.table!;
// The half sheet that holds the table, so that a reader sees all of it beside the call.
const height = Math.round(box.y + box.height + 4 * box.x);
const png = await sharp(pixels.subarray(0, width * height * 3), { raw: { width, height, channels: 3 } })
  .png({ palette: true, colours: 32, compressionLevel: 9 })
  .toBuffer();
writeFileSync(new URL('../../docs/sample-page.png', import.meta.url), png);
console.log(page.table!.rows.map(({ item, status }) => `${Object.values(item).join('  ')}  ${status}`).join('\n'));

/** Drugs still on the list, as the corpus knows them. */
function sampleDrugs(file: URL): readonly CorpusDrug[] {
  const byCode = new Map<string, CorpusDrug>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
    const [code = '', name = '', maker = '', pricedUnit = '', price = '', from = ''] = line.split(',');
    const parts = PARTS.exec(name)?.groups;
    if (!parts) continue;
    const { brand = '', strength = '', unit = '', ingredient = '', pack = '' } = parts;
    const step = { from, krw: price === '' ? null : Number(price) };
    const prices = [...(byCode.get(code)?.prices ?? []), step].sort((a, b) => (a.from < b.from ? -1 : 1));
    const dosage =
      DOSAGE_FORMS.find((form) =>
        /주사/.test(brand) ? form.pricedUnit === '병' : pricedUnit.endsWith(form.pricedUnit),
      ) ?? DOSAGE_FORMS[0]!;
    byCode.set(code, { code, brand, form: '', strength, unit, ingredient, pack, maker, dosage, prices });
  }
  return [...byCode.values()].filter(({ prices }) => prices.at(-1)?.krw !== null);
}

/**
 * Renders `docs/sample-page.png`, the page that the README's first call reads: twelve drugs of the shipped list at the
 * prices in force, nothing wrong with them. Usage: `node bench/corpus/sample-page.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { decodeMaster } from '../../functions/extraction/domain/master/master-file.ts';
import { drawPaper } from './drawing/paper.ts';
import { fontsOf } from './fonts.ts';
import { CORPUS_TODAY, type CorpusDrug } from './master.ts';
import { Random } from './random.ts';
import { composeSheet } from './sheet/sheet.ts';
import { DOSAGE_FORMS } from './vocabulary.ts';

/** Of a few that were looked at, the label whose page is plainest to see. */
const LABEL = 'sample page 36';
/** Beside dearer drugs the doses that are drawn would look odd. */
const PLAIN_KRW = 2000;
const PARTS = /^(?<brand>\D{3,7})(?<strength>[\d./]+)(?<unit>[^(/]+)\((?<ingredient>[^(),]{3,9})\)_\((?<pack>.+)\)$/;

const drugs = sampleDrugs(new URL('../../layers/drug-master/drug-master.tsv.gz', import.meta.url));
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
  return decodeMaster(gunzipSync(readFileSync(file)).toString()).drugs.flatMap((drug): readonly CorpusDrug[] => {
    const { code, maker, prices } = drug;
    const parts = PARTS.exec(drug.name)?.groups;
    const dosage = DOSAGE_FORMS.find(({ pricedUnit }) => drug.unit === `1 ${pricedUnit}`);
    const { from, krw } = prices.at(-1)!;
    if (!parts || !dosage || krw === null || krw > PLAIN_KRW || from > CORPUS_TODAY) return [];
    const { brand = '', strength = '', unit = '', ingredient = '', pack = '' } = parts;
    return [{ code, brand, form: '', strength, unit, ingredient, pack, maker, dosage, prices }];
  });
}

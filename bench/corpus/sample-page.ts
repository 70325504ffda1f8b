/**
 * Renders `docs/sample-page.png`, the page that the README's first call reads: twelve drugs of the shipped list at the
 * prices in force, nothing wrong with them. Usage: `node bench/corpus/sample-page.ts`.
 */
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { listedDrugs } from '../listed-drugs.ts';
import { drawPaper } from './drawing/paper.ts';
import { fontsOf } from './fonts.ts';
import { type CorpusMaster, priceToday } from './master.ts';
import { Random } from './random.ts';
import { corpusDrug } from './real-drugs.ts';
import { UNADORNED } from './sheet/printed-name.ts';
import { composeSheet } from './sheet/sheet.ts';

/** Of a few that were looked at, the label whose page is plainest to see. */
const LABEL = 'sample page 16';
/** Next to dearer drugs, the drawn doses would look odd. */
const PLAIN_KRW = 2000;
/** Short enough for the column of names. */
const MAX_NAME_LENGTH = 30;

const drugs = (await listedDrugs())
  .filter(({ name }) => name.length <= MAX_NAME_LENGTH)
  .map(corpusDrug)
  .filter((drug) => drug.strength !== '' && drug.brackets !== '' && (priceToday(drug) ?? PLAIN_KRW) < PLAIN_KRW);
const master: CorpusMaster = {
  names: 'real',
  drugs: { tuned: drugs, untuned: [] },
  byCode: new Map(drugs.map((drug) => [drug.code, drug])),
};
const random = new Random(LABEL);
const body = fontsOf('tuned').find(({ family }) => family === 'NanumGothic')!;
const wish = {
  layoutId: 'dose-list',
  faulty: false,
  names: { ...UNADORNED, parts: 'withoutPack', unit: 'words' },
} as const;
const sheet = composeSheet(random, master, 'tuned', 'scan', 12, wish);
const page = await drawPaper(random, sheet, { body, title: body }, 21, 'scan', 'tuned');
const { width, pixels } = page.raster;
const { box } = page.table!;
// The half sheet that holds the table, so that a reader sees all of it next to the call.
const height = Math.round(box.y + box.height + 4 * box.x);
const png = await sharp(pixels.subarray(0, width * height * 3), { raw: { width, height, channels: 3 } })
  .png({ palette: true, colours: 32, compressionLevel: 9 })
  .toBuffer();
writeFileSync(new URL('../../docs/sample-page.png', import.meta.url), png);
console.log(page.table!.rows.map(({ item, status }) => `${Object.values(item).join('  ')}  ${status}`).join('\n'));

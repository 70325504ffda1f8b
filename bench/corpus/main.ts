/**
 * Renders the corpus: `npm run corpus -- [--out corpus] [--split tuned|untuned] [--class screen|scan|photo|hard|other|
 * prescription|screen-grids|guide|negative] [--count 60] [--seed n] [--condition stamped|curved|small|turned|tagged|large] [--variant
 * one-dose-column|codes-below|numbered|two-halves|two-languages|side-by-side|none] [--names real|invented] [--list file] [--misprints n]`. The same
 * options and fonts give the same pages. `--misprints 3` mistypes every third drug's name. `--list` is the list whose names are printed: a packed master, or a CSV with code, name, maker,
 * unit, price, from.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { oneOf, wholeNumber } from '../arguments.ts';
import { listedDrugs } from '../listed-drugs.ts';
import { CONDITIONS, suitsClass } from './condition.ts';
import { fontsOf } from './fonts.ts';
import { WANTED_VARIANTS } from './forms/prescription/variants/variant.ts';
import { inventedMaster } from './invented-drugs.ts';
import { type CorpusMaster, masterCsv } from './master.ts';
import { withMisprints } from './misprints.ts';
import { renderPage } from './page.ts';
import { realMaster } from './real-drugs.ts';
import { PAGE_CLASSES, type PageClass, SPLITS, type Split } from './truth.ts';

/** A separate seed for each split; others make fresh pages in the split's fonts and words. */
const SEEDS: Readonly<Record<Split, number>> = { tuned: 1, untuned: 2 };

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'corpus' },
      split: { type: 'string' },
      class: { type: 'string' },
      count: { type: 'string', default: '60' },
      seed: { type: 'string' },
      condition: { type: 'string' },
      variant: { type: 'string' },
      names: { type: 'string' },
      list: { type: 'string' },
      misprints: { type: 'string' },
    },
  });
  const splits = values.split === undefined ? SPLITS : [oneOf(SPLITS, values.split, '--split')];
  const classes = values.class === undefined ? PAGE_CLASSES : [oneOf(PAGE_CLASSES, values.class, '--class')];
  const condition =
    values.condition === undefined ? {} : { condition: oneOf(CONDITIONS, values.condition, '--condition') };
  const variant = values.variant === undefined ? {} : { variant: oneOf(WANTED_VARIANTS, values.variant, '--variant') };
  const unsuited = classes.find(
    (name) => !suitsClass(condition.condition, name) || (values.variant !== undefined && name !== 'prescription'),
  );
  if (unsuited)
    throw new Error(`Pages of class ${unsuited} cannot have this --condition or --variant: name another --class.`);
  const count = wholeNumber(values.count, '--count');
  const listed = await masterOf(values.names, values.list);
  const master =
    values.misprints === undefined ? listed : withMisprints(listed, wholeNumber(values.misprints, '--misprints'));
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, 'master.csv'), masterCsv(master.byCode.values()));
  for (const split of splits) {
    const fonts = fontsOf(split);
    const folder = join(values.out, split);
    mkdirSync(folder, { recursive: true });
    const seed = values.seed === undefined ? SEEDS[split] : wholeNumber(values.seed, '--seed');
    for (const pageClass of classes) await renderClass(folder, pageClass, split, seed);

    async function renderClass(into: string, pageClass: PageClass, of: Split, withSeed: number): Promise<void> {
      for (let index = 0; index < count; index++) {
        const { bytes, truth } = await renderPage(
          { split: of, class: pageClass, seed: withSeed, index, ...condition, ...variant },
          master,
          fonts,
        );
        writeFileSync(join(into, truth.image.file), bytes);
        writeFileSync(join(into, `${truth.id}.json`), `${JSON.stringify(truth)}\n`);
      }
      console.log(`${into}: ${count} pages of class ${pageClass}`);
    }
  }
}

async function masterOf(names: string | undefined, list: string | undefined): Promise<CorpusMaster> {
  if (oneOf(['real', 'invented'], names ?? 'real', '--names') === 'invented') {
    if (list !== undefined)
      throw new Error('Invented names come from no list: leave out --list, or name --names real.');
    return inventedMaster();
  }
  return realMaster(await listedDrugs(list));
}

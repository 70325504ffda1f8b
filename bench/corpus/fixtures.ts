/**
 * Renders the pages that tests read, with their truth and as much of the master as they need, into `test/fixtures/pages`, and
 * forms as people send them into `test/fixtures/forms`. Usage: `node bench/corpus/fixtures.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fontsOf } from './fonts.ts';
import { inventedMaster } from './invented-drugs.ts';
import { type CorpusDrug, type CorpusMaster, masterCsv } from './master.ts';
import { renderPage } from './page.ts';
import type { PageClass, PageTruth } from './truth.ts';

/** By class and seed, numbers of pages. */
type Chosen = Readonly<Partial<Record<PageClass, Readonly<Record<number, readonly number[]>>>>>;

/** Small files, layouts and rulings that differ. Seed 1 is the tuned split's own. */
const PAGES: Chosen = {
  screen: { 1: [1, 9], 3: [1, 4] },
  scan: { 1: [17, 20], 3: [1, 5] },
  photo: { 1: [3, 13], 3: [2, 7] },
  hard: { 1: [1, 16], 3: [0, 1] },
  other: { 1: [0, 1, 5, 7] },
  negative: { 1: [8, 12, 14, 25] },
};
const FORMS: Chosen = {
  prescription: { 7701: [10, 13, 21, 22] },
  'screen-grids': { 7701: [4] },
  guide: { 7701: [6] },
};
/** Codes on either side of every printed one, so that a misread digit can hit another drug here too. */
const NEIGHBOURS = 2;

const master = inventedMaster();
const fonts = fontsOf('tuned');
await renderInto(new URL('../../test/fixtures/pages/', import.meta.url), PAGES);
await renderInto(new URL('../../test/fixtures/forms/', import.meta.url), FORMS);

async function renderInto(folder: URL, chosen: Chosen): Promise<void> {
  const truths: PageTruth[] = [];
  mkdirSync(folder, { recursive: true });
  for (const [pageClass, seeds] of Object.entries(chosen) as [PageClass, Record<number, readonly number[]>][]) {
    const orders = Object.entries(seeds).flatMap(([seed, indices]) =>
      indices.map((index) => ({ seed: Number(seed), index })),
    );
    for (const [position, { seed, index }] of orders.entries()) {
      const page = await renderPage({ split: 'tuned', class: pageClass, seed, index }, master, fonts);
      const id = `${pageClass}-${String(position + 1).padStart(3, '0')}`;
      const file = page.truth.image.file.replace(page.truth.id, id);
      const truth: PageTruth = { ...page.truth, id, image: { ...page.truth.image, file } };
      truths.push(truth);
      writeFileSync(new URL(file, folder), page.bytes);
      writeFileSync(new URL(`${id}.json`, folder), `${JSON.stringify(truth)}\n`);
      console.log(id, page.bytes.length, truth.geometry.rotation, JSON.stringify(truth.made));
    }
  }
  writeFileSync(new URL('master.csv', folder), masterCsv(neededDrugs(master, truths)));
}

/** The drugs that the pages print, and the codes next to them. */
function neededDrugs({ byCode }: CorpusMaster, pages: readonly PageTruth[]): readonly CorpusDrug[] {
  const sorted = [...byCode.keys()].sort();
  const needed = new Set<string>();
  for (const row of pages.flatMap(({ table }) => table?.rows ?? [])) {
    const printed = row.suggestedDrugCode ?? row.item.drugCode ?? '';
    const code = printed.length === 13 ? printed.slice(3, 12) : printed.padStart(9, '0');
    const at = sorted.indexOf(code);
    if (at < 0) continue;
    for (let i = Math.max(0, at - NEIGHBOURS); i <= at + NEIGHBOURS; i++) needed.add(sorted[i] ?? code);
  }
  return [...needed].map((code) => byCode.get(code)!);
}

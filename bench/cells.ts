/**
 * Scores the reading of cells alone, before anything is interpreted: pages are pulled flat by their truth, so that finding
 * the page counts for nothing. Prints, class by class, cells in their place and exact texts by column, then what went wrong:
 * `node bench/cells.ts [--split tuned] [--class screen] [--limit 10] [--page scan-004] [--mistakes 40]`.
 */
import { parseArgs } from 'node:util';
import { decodeImage } from '../functions/adapters/codecs/decode-image.ts';
import { onnxModels } from '../functions/adapters/readers/onnx-models.ts';
import type { Quad } from '../functions/extraction/domain/reading/geometry.ts';
import { warpQuad } from '../functions/extraction/domain/reading/page/warp.ts';
import type { Raster } from '../functions/extraction/domain/reading/raster.ts';
import { readPage } from '../functions/extraction/domain/reading/read-page.ts';
import { findStructure } from '../functions/extraction/domain/reading/structure/find-tables.ts';
import type { ReadCell, ReadTable } from '../functions/extraction/domain/reading/table-reader.ts';
import { PAGE_CLASSES, type PageTruth } from './corpus/truth.ts';
import { type CorpusPage, corpusPages } from './pages.ts';

const { values } = parseArgs({
  options: {
    split: { type: 'string', default: 'tuned' },
    class: { type: 'string' },
    limit: { type: 'string', default: '10' },
    page: { type: 'string' },
    mistakes: { type: 'string', default: '20' },
    threads: { type: 'string', default: '2' },
  },
});

const { recogniser, layouts } = await onnxModels(undefined, { threads: Number(values.threads) });
const pages = corpusPages(`corpus/${values.split}`);
for (const name of PAGE_CLASSES) {
  if (values.class && values.class !== name) continue;
  const chosen = values.page
    ? pages.filter(({ truth }) => truth.id === values.page && truth.class === name)
    : pages.filter(({ truth }) => truth.class === name && truth.table).slice(0, Number(values.limit));
  if (chosen.length > 0) await scoreClass(name, chosen);
}

async function scoreClass(name: string, chosen: readonly CorpusPage[]): Promise<void> {
  const counts = new Map<string, { right: number; of: number }>();
  const mistakes: string[] = [];
  const seconds: number[] = [];
  const count = (key: string, right: boolean) => {
    const entry = counts.get(key) ?? { right: 0, of: 0 };
    counts.set(key, { right: entry.right + (right ? 1 : 0), of: entry.of + 1 });
  };
  for (const page of chosen) {
    const { raster, scale } = await flatten(page);
    const start = performance.now();
    const { tables } = await readPage(raster, recogniser, await findStructure(raster, layouts));
    seconds.push((performance.now() - start) / 1000);
    scoreCells(page.truth, tables, scale, count, mistakes);
  }
  const line = [...counts].map(([key, { right, of }]) => `${key} ${((100 * right) / of).toFixed(1)} (${of - right})`);
  seconds.sort((a, b) => a - b);
  console.log(`${name}, ${chosen.length} pages, p50 ${seconds[seconds.length >> 1]!.toFixed(2)} s: ${line.join(', ')}`);
  for (const mistake of mistakes.slice(0, Number(values.mistakes))) console.log(`  ${mistake}`);
}

/** The page upright and flat, at about the picture's own resolution. */
async function flatten({ truth, bytes }: CorpusPage): Promise<{ raster: Raster; scale: number }> {
  const { raster: picture, source } = await decodeImage(bytes());
  const factor = picture.width / source.width;
  const { quad, page } = truth.geometry;
  const [a, b, c, d] = quad.map(({ x, y }) => ({ x: x * factor, y: y * factor })) as unknown as Quad;
  const across = Math.max(Math.hypot(a.x - b.x, a.y - b.y), Math.hypot(c.x - d.x, c.y - d.y));
  const scale = across / page.width;
  const raster = warpQuad(picture, [a, b, c, d], Math.round(page.width * scale), Math.round(page.height * scale));
  return { raster, scale };
}

function scoreCells(
  truth: PageTruth,
  tables: readonly ReadTable[],
  scale: number,
  count: (key: string, right: boolean) => void,
  mistakes: string[],
): void {
  const centers = truth
    .table!.grid.cells.filter(({ text }) => text !== '')
    .map(({ box }) => ({ x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale }));
  truth.table!.rows.forEach((row, index) => {
    if (row.cut) return;
    for (const [field, cell] of Object.entries(row.cells)) {
      if (cell.text === '') continue;
      const x = (cell.box.x + cell.box.width / 2) * scale;
      const y = (cell.box.y + cell.box.height / 2) * scale;
      const read = tables.flatMap(({ cells }) => cells).find((candidate) => holds(candidate, x, y));
      const placed = read !== undefined && centers.filter((center) => holds(read, center.x, center.y)).length === 1;
      count('placed', placed);
      const expected = comparable(field, cell.text);
      const got = comparable(field, (field === 'drugName' ? read?.text.text : read?.numeral?.text) ?? '');
      count(field, expected === got);
      if (expected !== got)
        mistakes.push(
          `${truth.id} ${index + 1} ${field} ${placed ? '' : 'MISPLACED '}${expected} read ${got} (${read?.text.text} ${read?.numeral?.confidence.toFixed(2)})`,
        );
    }
  });
}

function holds({ box }: ReadCell, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

function comparable(field: string, text: string): string {
  const tight = text.replace(/\s/g, '');
  if (field === 'drugName' || field === 'quantity' || field === 'prescribedQty') return tight.replace(/,/g, '.');
  return tight.replace(/[.,]/g, '');
}

import { Drawing } from '../../drawing/drawing.ts';
import type { PageImage } from '../../drawing/page-image.ts';
import { type Font, suitsScreens } from '../../fonts.ts';
import type { CorpusMaster } from '../../master.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import { patientList } from './blocks.ts';
import { drugGrid } from './drug-grid.ts';
import { drawScreenGrid, drawScrollBar, gridStyle } from './screen-grid.ts';
import { stacked } from './stack.ts';
import { drawManual, drawStatus, drawTop } from './surroundings.ts';
import { tableTruth } from './truth.ts';
import type { Window } from './window.ts';

const ACCENTS = ['#8db0d9', '#5f8fc4', '#9fb8a0', '#b9a6c9', '#c9b08a', '#7f8fa6'];

/**
 * A claim or order program's window: several grids, stacked and side by side, each with its own columns; one of them holds
 * the drugs.
 */
export async function drawScreenGrids(
  random: Random,
  master: CorpusMaster,
  fonts: readonly Font[],
  split: Split,
  size: number,
): Promise<PageImage> {
  const font = random.pick(fonts.filter(suitsScreens));
  const drawing = new Drawing();
  const window: Window = {
    random,
    drawing,
    style: gridStyle(random, font, size),
    text: { font, size, color: '#222' },
    accent: random.pick(ACCENTS),
  };
  const width = Math.round(random.between(82, 104) * size);
  const order = random.chance(0.35);
  const plan = drugGrid(random, master, split, order);
  let y = drawTop(window, width, order, split);
  const listWidth = random.chance(0.6) ? Math.round(random.between(13, 17) * size) : 0;
  const top = y + 6;
  const left = listWidth === 0 ? 8 : listWidth + 16;
  const stack = stacked(window, { x: left, y: top, width: width - left - 8 }, plan, order);
  y = stack.bottom;
  if (listWidth > 0) {
    const scrolled = random.chance(0.5);
    const list = { x: 8, y: top, width: listWidth, height: y - top };
    drawScreenGrid(
      random,
      drawing,
      patientList(window),
      { ...list, width: listWidth - (scrolled ? 16 : 0) },
      window.style,
    );
    if (scrolled) drawScrollBar(random, drawing, list, true);
  }
  y = drawStatus(window, width, y);
  drawManual(window, stack, width, y);
  const raster = await drawing.render(width, Math.round(y), random.pick(['#ffffff', '#f0f0f0', '#eef3f8', '#f4f1ea']));
  return {
    raster,
    documentType: 'drug_table',
    table: tableTruth(plan, stack.drugs),
    made: {
      kind: order ? 'order-screen' : 'claim-screen',
      rows: plan.lines.filter((line) => 'drug' in line).length,
      grids: stack.grids + (listWidth > 0 ? 1 : 0),
      sideBySide: stack.sideBySide,
      font: font.family,
      textPx: Math.round(size * 10) / 10,
    },
  };
}

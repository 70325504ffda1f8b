import type { Rect } from '../../truth.ts';
import { diagnoses, fees, generalFacts, history, remarks, results } from './blocks.ts';
import type { DrugGridPlan } from './drug-grid.ts';
import { drawScreenGrid, drawScrollBar, type ScreenGrid, type SetGrid } from './screen-grid.ts';
import type { Window } from './window.ts';

export interface Stack {
  readonly bottom: number;
  readonly drugs: SetGrid;
  readonly places: readonly Rect[];
  readonly grids: number;
  readonly sideBySide: boolean;
}

/** The grids of the window's main part, from top to bottom, two of them side by side now and then. */
export function stacked(
  window: Window,
  area: { x: number; y: number; width: number },
  plan: DrugGridPlan,
  order: boolean,
): Stack {
  const { random, drawing, style, text, accent } = window;
  const titled = random.chance(0.75);
  const sideTitles = titled && random.chance(0.6);
  const before = random
    .shuffled(order ? [diagnoses, generalFacts] : [diagnoses, fees, generalFacts])
    .slice(0, random.int(1, 3));
  const after = random.shuffled([remarks, results, history]).slice(0, random.int(0, 2));
  const sideBySide = random.chance(0.35);
  const places: Rect[] = [];
  let grids = 0;
  let y = area.y;
  let drugs: SetGrid | null = null;
  const gap = Math.round(random.between(3, 14));

  const put = (title: string, grid: ScreenGrid, x: number, width: number, top: number, spare: number): SetGrid => {
    const head = titled && !sideTitles ? Math.round(style.size * 1.7) : 0;
    const side = sideTitles ? Math.round(style.size * 2.2) : 0;
    const height = grid.rows.length * style.rowHeight + style.size * 3.2 + spare;
    if (head > 0)
      drawing.text(`${random.pick(['▶ ', '■ ', '□ ', ''])}${title}`, x + 4, top + head / 2, { ...text, bold: true });
    if (side > 0) {
      drawing.rect({ x, y: top, width: side, height }, accent);
      const letters = [...title.replaceAll(' ', '')];
      const fit = Math.min(style.size, (height - 6) / letters.length);
      letters.forEach((letter, i) => {
        drawing.text(letter, x + side / 2, top + height / 2 + (i - (letters.length - 1) / 2) * fit * 1.1, {
          ...text,
          size: fit,
          color: '#fff',
          align: 'center',
        });
      });
    }
    const bar = random.chance(0.4);
    const place = { x: x + side, y: top + head, width: width - side - (bar ? 16 : 0), height };
    const set = drawScreenGrid(random, drawing, grid, place, style);
    if (bar) drawScrollBar(random, drawing, { ...place, width: width - side }, true);
    if (random.chance(0.12)) drawScrollBar(random, drawing, place, false);
    places.push({ ...place, height });
    grids++;
    return set;
  };
  const bottomOf = () => Math.max(...places.map(({ y: at, height }) => at + height));

  const drugGridOf: ScreenGrid = { columns: plan.columns, rows: plan.rows };
  for (const [i, block] of before.entries()) {
    const [title, grid] = block(window);
    const next = before[i + 1];
    if (sideBySide && i === 0 && next !== undefined) {
      const share = random.between(0.35, 0.6);
      put(title, grid, area.x, area.width * share - gap, y, 0);
      const [otherTitle, other] = next(window);
      put(otherTitle, other, area.x + area.width * share, area.width * (1 - share), y, 0);
    } else if (!(sideBySide && i === 1)) put(title, grid, area.x, area.width, y, random.int(0, 3) * style.rowHeight);
    y = bottomOf() + gap;
  }
  const share = random.between(0.68, 0.78);
  const needed =
    style.size * plan.columns.reduce((sum, { kind, width }) => sum + (kind === 'drugName' ? 14 : width), 0);
  const beside = sideBySide && before.length === 1 && area.width * share > needed;
  drugs = put(
    random.pick(['처방내역', '처방 내역', '원외처방', '약제내역']),
    drugGridOf,
    area.x,
    beside ? area.width * share - gap : area.width,
    y,
    style.size + random.int(1, 3) * style.rowHeight,
  );
  if (beside) {
    const [title, grid] = remarks(window);
    put(title, grid, area.x + area.width * share, area.width * (1 - share), y, 0);
  }
  y = bottomOf() + gap;
  for (const block of after) {
    const [title, grid] = block(window);
    put(title, grid, area.x, area.width, y, random.int(0, 3) * style.rowHeight);
    y = bottomOf() + gap;
  }
  return { bottom: y, drugs, places, grids, sideBySide };
}

import { drawRing, drawScribble, drawSeal, drawWatermark } from '../../drawing/marks.ts';
import type { PlacedLine } from '../../sheet/prescribed-lines.ts';
import type { Rect } from '../../truth.ts';
import type { Sheet } from './sheet.ts';

/** Pens, rings, seals and watermarks over the printed page. */
export function drawMarks(sheet: Sheet, body: Rect, placed: readonly PlacedLine[], bottom: number): void {
  const { random, drawing, plan, left, right } = sheet;
  const { size } = plan;
  if (random.chance(0.22))
    drawScribble(random, drawing, left + size * random.between(0, 30), size * 2.4, size * random.between(1.2, 3));
  if (random.chance(0.14))
    drawWatermark(
      random,
      drawing,
      { x: 0, y: 0, width: plan.width, height: bottom },
      size * random.between(1.6, 3.4),
      plan.formFont,
    );
  if (random.chance(0.12))
    drawScribble(
      random,
      drawing,
      right - size * random.between(5, 9),
      body.y + size * random.between(1, 8),
      size * random.between(0.9, 1.6),
    );
  if (random.chance(0.14))
    for (const { box } of random.shuffled(placed).slice(0, random.int(1, 2)))
      drawRing(
        random,
        drawing,
        { ...box, x: box.x - size * 0.3, width: box.width * random.pick([0.35, 0.9]) },
        size * 0.12,
      );
  if (random.chance(0.12))
    drawRing(random, drawing, { x: right - size * 8, y: size * 0.6, width: size * 7, height: size * 2.6 }, size * 0.16);
  if (random.chance(0.1))
    drawSeal(
      random,
      drawing,
      left + size * random.between(4, 30),
      body.y + size * random.between(2, 10),
      size,
      plan.formFont,
    );
}

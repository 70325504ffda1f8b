import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { Rect } from '../truth.ts';
import type { Drawing } from './drawing.ts';

/** Marks of hands, seals and other programs on a page: over, next to and under the print. */

const INKS = ['#1b1b1f', '#1e3a8a', '#22304f', '#c8202f'] as const;
const REDS = ['#d0342c', '#c8102e', '#e04a3f'] as const;

/** A red seal, round or square, over any print. */
export function drawSeal(random: Random, drawing: Drawing, x: number, y: number, size: number, font: Font): void {
  const color = random.pick(REDS);
  const r = size * random.between(1.3, 2.6);
  const letters = random.pick(['원장의인', '의사의인', '병원장인', '의원직인']);
  const ring = random.chance(0.5)
    ? `<circle r="${px(r)}" fill="none" stroke="${color}" stroke-width="${px(size * 0.13)}"/><circle r="${px(r * 0.72)}" fill="none" stroke="${color}" stroke-width="${px(size * 0.05)}"/>`
    : `<rect x="${px(-r)}" y="${px(-r)}" width="${px(2 * r)}" height="${px(2 * r)}" fill="none" stroke="${color}" stroke-width="${px(size * 0.15)}"/>`;
  const label = (text: string, dy: number) =>
    `<text y="${px(dy)}" text-anchor="middle" font-family="${font.family}" font-size="${px(r * 0.62)}" fill="${color}">${text}</text>`;
  drawing.add(
    `<g transform="translate(${px(x)} ${px(y)}) rotate(${px(random.between(-25, 25))})" opacity="${px(random.between(0.45, 0.85))}">${ring}${label(letters.slice(0, 2), -r * 0.05)}${label(letters.slice(2), r * 0.52)}</g>`,
  );
}

/** Pale words across the page, as archives and agents print them over everything. */
export function drawWatermark(random: Random, drawing: Drawing, area: Rect, size: number, font: Font): void {
  const words = random.pick(['사 본', 'COPY', '복사 금지', '열람용', '원본대조필', 'SAMPLE']);
  const color = random.pick(['#9aa0a6', '#8fa8c8', '#c8a0a0', '#a8b8a0']);
  const angle = random.between(-38, -12);
  const repeats = random.int(1, 4);
  for (let i = 0; i < repeats; i++) {
    const x = area.x + area.width * random.between(0.2, 0.7);
    const y = area.y + (area.height * (i + 0.5)) / repeats;
    drawing.add(
      `<text transform="translate(${px(x)} ${px(y)}) rotate(${px(angle)})" text-anchor="middle" font-family="${font.family}" font-size="${px(size)}" fill="${color}" opacity="${px(random.between(0.25, 0.55))}">${words} ${random.int(1000, 9999)}</text>`,
    );
  }
}

/** A pen's stroke from one place to another, wavering as hands do. */
export function drawStroke(
  random: Random,
  drawing: Drawing,
  from: readonly [number, number],
  to: readonly [number, number],
  width: number,
  color: string,
): void {
  const waver = Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.12;
  const near = (share: number, axis: 0 | 1) =>
    px(from[axis] + (to[axis] - from[axis]) * share + random.between(-waver, waver));
  drawing.add(
    `<path d="M ${px(from[0])} ${px(from[1])} C ${near(0.3, 0)} ${near(0.3, 1)} ${near(0.7, 0)} ${near(0.7, 1)} ${px(to[0])} ${px(to[1])}" fill="none" stroke="${color}" stroke-width="${px(width)}" stroke-linecap="round"/>`,
  );
}

/** A few words in a hand that cannot be read, or a number of a queue, large. */
export function drawScribble(random: Random, drawing: Drawing, x: number, y: number, size: number): void {
  const color = random.pick(INKS);
  const width = size * random.between(0.08, 0.16);
  let pen: readonly [number, number] = [x, y];
  for (let stroke = 0; stroke < random.int(4, 12); stroke++) {
    const next = [pen[0] + size * random.between(-0.2, 0.8), y + size * random.between(-0.8, 0.8)] as const;
    drawStroke(random, drawing, pen, next, width, color);
    pen = random.chance(0.3) ? [next[0] + size * 0.4, y + size * random.between(-0.6, 0.6)] : next;
  }
}

/** A ring drawn by hand around a place. */
export function drawRing(random: Random, drawing: Drawing, around: Rect, width: number): void {
  const color = random.pick(['#d8232a', '#d8232a', '#39c62c', '#2746c8', '#222']);
  const cx = around.x + around.width / 2;
  const cy = around.y + around.height / 2;
  drawing.add(
    `<ellipse cx="${px(cx)}" cy="${px(cy)}" rx="${px(around.width * random.between(0.5, 0.7))}" ry="${px(around.height * random.between(0.5, 0.8))}" fill="none" stroke="${color}" stroke-width="${px(width)}" transform="rotate(${px(random.between(-12, 12))} ${px(cx)} ${px(cy)})"/>`,
  );
}

/** A red frame, or a round with a number in it, as manuals put them over pictures. */
export function drawCallout(random: Random, drawing: Drawing, at: Rect, font: Font, number: number): void {
  const color = random.pick(['#d8232a', '#e02020', '#d9572b']);
  drawing.rect(at, 'none', color, random.int(2, 3));
  if (!random.chance(0.7)) return;
  const r = random.between(12, 20);
  drawing.add(`<circle cx="${px(at.x)}" cy="${px(at.y)}" r="${px(r)}" fill="${color}"/>`);
  drawing.text(String(number), at.x, at.y, { font, size: r * 1.1, bold: true, align: 'center', color: '#fff' });
}

/** A square code of black and white modules. */
export function drawSquareCode(random: Random, drawing: Drawing, x: number, y: number, side: number): void {
  const modules = random.int(21, 33);
  const module = side / modules;
  let path = '';
  for (let row = 0; row < modules; row++)
    for (let column = 0; column < modules; column++)
      if (random.chance(0.5))
        path += `M${px(x + column * module)} ${px(y + row * module)}h${px(module)}v${px(module)}h${px(-module)}z`;
  drawing.add(`<path d="${path}" fill="#111"/>`);
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}

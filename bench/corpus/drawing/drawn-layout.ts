import sharp from 'sharp';
import type { Raster } from '../camera/raster.ts';
import type { Rect } from '../truth.ts';

/** Classes of a drawn page's pixels: rules across and down, the page's print, and foreign ink, such as seals. */
export const LAYOUT_CLASSES = ['rows', 'columns', 'print', 'foreign'] as const;
export type LayoutClass = (typeof LAYOUT_CLASSES)[number];
/** One byte a pixel, 255 where it belongs to the class. */
export type LayoutMaps = Readonly<Record<LayoutClass, Raster>>;

/** Of its length, how far a rule may leave its row or column. */
const LEVEL = 1 / 8;

/** The classes of the parts of a drawing; for training. */
export class DrawnLayout {
  readonly #parts: Record<LayoutClass, string[]> = { rows: [], columns: [], print: [], foreign: [] };

  /** A fill, which hides everything drawn below it. */
  cover({ x, y, width, height }: Rect): void {
    for (const name of LAYOUT_CLASSES)
      this.#parts[name].push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#000"/>`);
  }

  /** A line, with the gaps between its dashes. */
  line(x1: number, y1: number, x2: number, y2: number, width: number): void {
    const [across, down] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    const name = down <= LEVEL * across ? 'rows' : across <= LEVEL * down ? 'columns' : 'foreign';
    this.#parts[name].push(
      `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#fff" stroke-width="${Math.max(1, width)}"/>`,
    );
  }

  frame({ x, y, width, height }: Rect, stroke: number): void {
    const [right, bottom] = [x + width, y + height];
    for (const at of [y, bottom]) this.line(x, at, right, at, stroke);
    for (const at of [x, right]) this.line(at, y, at, bottom, stroke);
  }

  print(svg: string): void {
    this.#parts.print.push(white(svg));
  }

  foreign(svg: string): void {
    this.#parts.foreign.push(white(svg));
  }

  async render(width: number, height: number): Promise<LayoutMaps> {
    const maps = await Promise.all(
      LAYOUT_CLASSES.map(async (name) => [name, await rendered(this.#parts[name].join(''), width, height)] as const),
    );
    return Object.fromEntries(maps) as LayoutMaps;
  }
}

/** The same marks in white, and opaque. */
function white(svg: string): string {
  return svg.replace(/(fill|stroke)="#[0-9a-fA-F]+"/g, '$1="#fff"').replace(/ opacity="[^"]*"/g, '');
}

async function rendered(parts: string, width: number, height: number): Promise<Raster> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#000"/>${parts}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg), { unlimited: true })
    .removeAlpha()
    .extractChannel(1)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

import sharp from 'sharp';
import type { Raster } from '../camera/raster.ts';
import type { Font } from '../fonts.ts';
import type { Rect } from '../truth.ts';
import { DrawnLayout, type LayoutMaps } from './drawn-layout.ts';

export interface TextStyle {
  readonly font: Font;
  /** Size of the em in pixels. */
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  readonly color?: string;
}

/** Collects what a page shows and renders it; coordinates are pixels, text hangs on its vertical middle. */
export class Drawing {
  /** Called with each page that is rendered, and with its layout; for training. */
  static onRender: ((page: Raster, layout: LayoutMaps) => void) | undefined;

  readonly #elements: string[] = [];
  readonly #layout = new DrawnLayout();

  rect(box: Rect, fill: string, stroke = 'none', strokeWidth = 1): void {
    if (fill !== 'none') this.#layout.cover(box);
    if (stroke !== 'none') this.#layout.frame(box, strokeWidth);
    this.#elements.push(
      `<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" fill="${fill}" stroke="${stroke}" stroke-width="${n(strokeWidth)}"/>`,
    );
  }

  line(x1: number, y1: number, x2: number, y2: number, color: string, width: number, dashes?: string): void {
    this.#layout.line(x1, y1, x2, y2, width);
    const dash = dashes ? ` stroke-dasharray="${dashes}"` : '';
    this.#elements.push(
      `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${color}" stroke-width="${n(width)}"${dash}/>`,
    );
  }

  /** @param x the text's left end, middle or right end, by `align`. */
  text(text: string, x: number, middleY: number, style: TextStyle): void {
    if (text === '') return;
    const { font, size, bold = false, align = 'left', color = '#000' } = style;
    const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
    // A thin stroke thickens the families that have no bold face, as printers do.
    const weight = !bold
      ? ''
      : font.bold
        ? ' font-weight="bold"'
        : ` stroke="${color}" stroke-width="${n(size * 0.035)}"`;
    const svg = `<text x="${n(x)}" y="${n(middleY + size * 0.355)}" font-family="${font.family}" font-size="${n(size)}" text-anchor="${anchor}" fill="${color}"${weight} xml:space="preserve">${escapeXml(text)}</text>`;
    this.#layout.print(svg);
    this.#elements.push(svg);
  }

  /** Raw SVG, for the few things that are neither box nor line nor text. */
  add(svg: string): void {
    this.#layout.foreign(svg);
    this.#elements.push(svg);
  }

  async render(width: number, height: number, ground: string): Promise<Raster> {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${this.#elements.join('')}</svg>`;
    const { data, info } = await sharp(Buffer.from(svg), { unlimited: true })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const page = { width: info.width, height: info.height, pixels: data };
    if (Drawing.onRender) Drawing.onRender(page, await this.#layout.render(width, height));
    return page;
  }
}

export function textWidth(text: string, style: TextStyle): number {
  const metrics = (style.bold && style.font.bold) || style.font.metrics;
  return metrics.widthEm(text) * style.size;
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]!);
}

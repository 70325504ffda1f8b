import type { Drawing } from '../drawing/drawing.ts';
import type { PageImage } from '../drawing/page-image.ts';

/** A page without a drug table. */
export async function paperPage(
  drawing: Drawing,
  width: number,
  height: number,
  documentType: PageImage['documentType'],
  made: PageImage['made'],
): Promise<PageImage> {
  const raster = await drawing.render(Math.round(width), Math.round(height), '#ffffff');
  return { raster, documentType, table: null, made };
}

import { medianOf } from '../../median.ts';
import type { Box, PageReading } from '../../reading/table-reader.ts';
import { overlap } from '../print.ts';

/** In line heights: how far below the last row the next one may start. */
const NEXT_ROW = 2.5;

/** Whether a list without a form's grid is whole: letters next to it that the picture's edge cuts may be another row's. */
export function endsOnPage(list: Box, { texts, cut = [] }: Pick<PageReading, 'texts' | 'cut'>): boolean {
  const reach = NEXT_ROW * medianOf(texts.map(({ box }) => box.height));
  return !cut.some(({ x, y, width, height }) => {
    const isInColumns = overlap(x, x + width, list.x, list.x + list.width) > 0;
    const isNear = y > 1 ? y < list.y + list.height + reach : y + height > list.y - reach;
    return isInColumns && isNear;
  });
}

import { NO_KNOWN_DRUGS } from '../master/known-drugs.ts';
import type { Box, PageReading, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { interpretPage } from './interpret-page.ts';
import { sharesPlace } from './page/reading-order.ts';
import { centerX, centerY } from './print.ts';

/** A reading whose lists outside of every grid are tables too, so that another reader's tables can be compared with them, cell by cell. */
export function listsAsTables(reading: PageReading, template: Template): PageReading {
  const found: ReadTable[] = [];
  interpretPage(reading, template, NO_KNOWN_DRUGS, ({ read }) => found.push(read));
  const lists = found.filter(({ box }) => !reading.tables.some((table) => sharesPlace(table.box, box)));
  const isInList = (box: Box) => lists.some((list) => contains(list.box, box));
  return {
    ...reading,
    tables: [...reading.tables, ...lists].sort((a, b) => a.box.y - b.box.y),
    texts: reading.texts.filter(({ box }) => !isInList(box)),
  };
}

function contains({ x, y, width, height }: Box, inner: Box): boolean {
  const [atX, atY] = [centerX(inner), centerY(inner)];
  return atX >= x && atX <= x + width && atY >= y && atY <= y + height;
}

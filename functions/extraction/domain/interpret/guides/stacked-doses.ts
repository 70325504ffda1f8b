import { partOf } from '../../reading/reading-parts.ts';
import type { Box, Reading } from '../../reading/table-reader.ts';
import type { TableField, Template } from '../../reading/template.ts';
import { COUNT_FIELDS } from '../headers/column-kinds.ts';
import { matchHeader } from '../headers/header-words.ts';
import { centerY, hullOf, isLevel, overlap, type Print } from '../print.ts';
import type { DoseLine } from './dose-line.ts';

/** In label heights: maximum distance of its value below, and of its block's next label to the side. */
const STACKED = { below: 1.5, beside: 12 };
const VALUE = /^\d[\d.,]*(?=\s?\p{L}{0,3}$)/u;

/** The doses of blocks with boxed labels, each over its value. */
export function stackedDoses(prints: readonly Print[], template: Template): readonly DoseLine[] {
  const doses: { values: Map<TableField, Reading>; box: Box; worded: false }[] = [];
  for (const label of prints.toSorted((a, b) => a.box.x - b.box.x)) {
    const kind = matchHeader(label.text, template)?.kind;
    const field = COUNT_FIELDS.find((each) => each === kind);
    const value = field && valueBelow(label, prints);
    if (!field || !value) continue;
    const dose = doses.findLast(
      ({ values, box }) =>
        !values.has(field) &&
        isLevel(box, label.box) &&
        label.box.x - box.x - box.width < STACKED.beside * label.box.height,
    );
    const box = hullOf([label.box, value.box]);
    if (!dose) doses.push({ values: new Map([[field, value.reading]]), box, worded: false });
    else {
      dose.values.set(field, value.reading);
      dose.box = hullOf([dose.box, box]);
    }
  }
  return doses.sort((a, b) => a.box.y - b.box.y);
}

/** The single number below a label: a table's header has several. */
function valueBelow(label: Print, prints: readonly Print[]): { readonly reading: Reading; readonly box: Box } | null {
  const [value, next] = printsBelow(label, prints);
  const digits = value && VALUE.exec(value.text)?.[0].length;
  if (!digits) return null;
  const isOfColumn = next && VALUE.test(next.text) && next.box.y - value.box.y < 2 * (value.box.y - label.box.y);
  return isOfColumn ? null : { reading: partOf(value, 0, digits), box: value.box };
}

/** The first print right below a label, and the one below that. */
function printsBelow({ box }: Print, prints: readonly Print[]): readonly Print[] {
  const isBelow = (other: Box) =>
    overlap(box.x, box.x + box.width, other.x, other.x + other.width) > 0 && centerY(other) > box.y + box.height;
  const below = prints.filter((print) => isBelow(print.box)).sort((a, b) => a.box.y - b.box.y);
  return below[0] && below[0].box.y - box.y - box.height < STACKED.below * box.height ? below : [];
}

import { type TextStyle, textWidth } from '../../drawing/drawing.ts';
import type { PlacedLine, PrescribedLine } from '../../sheet/prescribed-lines.ts';
import type { Rect } from '../../truth.ts';
import type { Columns } from './columns.ts';
import { fitting, type Sheet } from './sheet.ts';
import { printLeadingNumber } from './variants/list-numbers.ts';

/** Code and name of a line, as they are printed. */
export interface PrintedName extends Pick<PlacedLine, 'name' | 'texts' | 'boxes' | 'box'> {
  /** The text of the cell. */
  readonly cell: string;
}

/** Area of codes and names, in one column or two; without height. */
export function nameCellOf({ code, name }: Columns): Rect {
  return code ? { ...name, x: code.x, width: name.x + name.width - code.x } : name;
}

/** The code before the name, on one line. */
export function printCodeAndName(
  sheet: Sheet,
  columns: Columns,
  line: PrescribedLine,
  middle: number,
  style: TextStyle,
  tabEm: number,
  number: number,
): PrintedName {
  const { random, drawing, plan } = sheet;
  const { shift } = plan;
  const joined = { blank: ' ', brackets: '', tab: '', dots: '. ' }[plan.joint];
  const cell = nameCellOf(columns);
  const lead = printLeadingNumber(sheet, number, cell.x + shift.x, middle, style);
  const start = cell.x + shift.x + lead.width;
  // A program leaves the code's column empty where it prints no code.
  let nameX = columns.code ? columns.name.x + plan.size * 0.4 : start;
  if (line.code !== null) {
    const code = plan.joint === 'brackets' && !columns.code ? `(${line.code})` : line.code;
    drawing.text(code, start, middle, style);
    // Print shifted too far to the right moves all fields: none is printed over the next.
    nameX = columns.code
      ? Math.max(nameX, start + textWidth(code, style) + plan.size * 0.3)
      : plan.joint === 'tab'
        ? start + plan.printSize * tabEm * 0.62 + plan.printSize * 1.6
        : start + textWidth(code + joined, style);
    if (plan.joint === 'dots' && !columns.code) drawing.text('.', start + textWidth(code, style), middle, style);
  }
  const room = columns.name.x + columns.name.width - nameX - plan.size * random.between(0.05, 0.5);
  const name = fitting(line.name, room, style);
  drawing.text(name, nameX, middle, style);
  const height = Math.round(plan.pitch);
  const box = { ...cell, y: Math.round(middle - height / 2), height };
  const code = line.code === null ? '' : plan.joint === 'brackets' ? `(${line.code})` : `${line.code} `;
  return {
    name,
    texts: { drugName: name, ...(line.code === null ? {} : { drugCode: line.code }) },
    boxes: { drugName: box, ...(line.code === null ? {} : { drugCode: box }) },
    box,
    cell: lead.text + (columns.code ? name : code + name),
  };
}

import type { TextStyle } from '../../drawing/drawing.ts';
import { drawStroke } from '../../drawing/marks.ts';
import type { PlacedLine, PrescribedLine } from '../../sheet/prescribed-lines.ts';
import type { Columns } from './columns.ts';
import { printDoses } from './dose-cells.ts';
import { nameCellOf, printCodeAndName } from './name-cell.ts';
import type { Sheet } from './sheet.ts';
import { printCodeBelowName } from './variants/codes-below.ts';
import { printSerial } from './variants/list-numbers.ts';

/** A line as placed on the form. */
export interface FormLine extends PlacedLine {
  /** From 0: the half of the table. */
  readonly half: number;
  /** The text in the cell of code and name. */
  readonly cell: string;
  /** The line's number, if numbers have a separate column. */
  readonly serial: string;
}

/** The rows of the form into which a list is printed. */
export interface Part {
  readonly top: number;
  /** Of each half. */
  readonly slots: number;
  /** The list of drugs itself; otherwise the injections below it. */
  readonly main: boolean;
  /** Of the first line, where lines are numbered. */
  readonly firstNumber: number;
}

/** The program's print: lines of drugs, headings between them, the end of the list. */
export function printLines(
  sheet: Sheet,
  halves: readonly Columns[],
  { top, slots, main, firstNumber }: Part,
  lines: readonly PrescribedLine[],
): FormLine[] {
  const { random, drawing, plan, print } = sheet;
  const { shift } = plan;
  const open = plan.rows === 'open';
  const places = slots * halves.length;
  const headed = main && lines.length > 1 && lines.length + 3 < places && random.chance(0.12);
  const tabEm = random.between(7.2, 9);
  const spellUnit = (line: PrescribedLine) =>
    plan.units === 'none' || (plan.units === 'some' && random.chance(0.5)) ? '' : line.unit;
  const placed: FormLine[] = [];
  let at = 0;
  const openTop = plan.printSize * 0.7 + (plan.codesBelow?.gap ?? 0) / 2;
  // Open rows may take more lines than the form has slots.
  const halfOf = (place: number) => Math.min(halves.length - 1, Math.floor(place / slots));
  const middleOf = (place: number) => {
    const slot = place - halfOf(place) * slots;
    return top + shift.y + (open ? openTop + slot * plan.pitch : (slot + 0.5) * plan.pitch);
  };
  const leftOf = (place: number) => nameCellOf(halves[halfOf(place)]!).x;
  for (const line of lines) {
    if (headed && placed.length === 0) {
      drawing.text(random.pick(['[내복약]', '< 내 복 >', '* 내복약']), leftOf(at) + shift.x, middleOf(at), print);
      at++;
    }
    const half = halfOf(at);
    const middle = middleOf(at);
    at++;
    const smaller = random.chance(0.08);
    const style: TextStyle = smaller ? { ...print, size: print.size * 0.85 } : print;
    const number = firstNumber + placed.length;
    placed.push({ ...printLine(sheet, halves[half]!, line, middle, style, tabEm, spellUnit(line), number), half });
  }
  if (main && plan.ending !== null && at < places) {
    drawing.text(plan.ending, leftOf(at) + shift.x * random.between(0.5, 3), middleOf(at), print);
    at++;
  }
  if (main && at + 2 < places && random.chance(0.08))
    strikeOut(sheet, halves.at(-1)!, middleOf(at), middleOf(places - 1));
  return placed;
}

/** Strikes out empty rows, so that nothing can be added. */
function strikeOut({ random, drawing, plan }: Sheet, columns: Columns, from: number, to: number): void {
  const ink = random.pick(['#222', '#1e3a8a']);
  drawStroke(
    random,
    drawing,
    [columns.usageX - plan.size * 3, from],
    [columns.left + plan.size * 3, to],
    plan.size * 0.1,
    ink,
  );
}

function printLine(
  sheet: Sheet,
  columns: Columns,
  line: PrescribedLine,
  middle: number,
  style: TextStyle,
  tabEm: number,
  unit: string,
  number: number,
): Omit<FormLine, 'half'> {
  const { random, drawing, plan, print } = sheet;
  const serial = printSerial(sheet, columns, number, middle);
  const named = plan.codesBelow
    ? printCodeBelowName(sheet, columns, line, middle, style, number)
    : printCodeAndName(sheet, columns, line, middle, style, tabEm, number);
  const doses = printDoses(sheet, columns, line, middle - (plan.codesBelow?.numbersAbove ?? 0), unit);
  if (plan.hasUsage && random.chance(0.3)) {
    const usage = random.pick([
      '매 식후 30분',
      '식후 30분',
      '취침전 1회',
      '→1일 2회 도포',
      '아침,저녁 식후',
      '1일 3회 식후',
      '필요시',
    ]);
    drawing.text(usage, columns.usageX + plan.size * random.between(0.3, 1.2), middle, {
      ...print,
      size: print.size * 0.9,
    });
  }
  const box = { ...named.box, width: columns.usageX - named.box.x };
  const texts = { ...named.texts, ...doses.texts };
  return { line, box, name: named.name, texts, boxes: { ...named.boxes, ...doses.boxes }, cell: named.cell, serial };
}

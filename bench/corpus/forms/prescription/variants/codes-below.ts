import { type TextStyle, textWidth } from '../../../drawing/drawing.ts';
import type { Random } from '../../../random.ts';
import type { PrescribedLine } from '../../../sheet/prescribed-lines.ts';
import type { Columns } from '../columns.ts';
import type { FormPlan } from '../form-plan.ts';
import { nameCellOf, type PrintedName } from '../name-cell.ts';
import { fitting, rule, type Sheet } from '../sheet.ts';
import { printLeadingNumber } from './list-numbers.ts';

/** Rows as tall as two, so that a drug has a line for its name and one for its code. */
export function codesBelow(random: Random, plan: FormPlan): FormPlan {
  const taller = random.between(1.6, 1.9);
  const open = plan.rows === 'open';
  const openPitch = Math.max(2.2 * plan.printSize, plan.pitch * random.between(1.9, 2.6));
  const bodyHeight = plan.slots * plan.slotHeight;
  const slots = Math.max(4, open ? Math.floor(bodyHeight / openPitch) : Math.round(plan.slots / taller));
  const slotHeight = open ? bodyHeight / slots : plan.slotHeight * taller;
  const ruled = !open && random.chance(0.25);
  const pitch = open ? openPitch : slotHeight;
  const gap = ruled ? pitch / 2 : Math.min(pitch * 0.5, plan.printSize * random.between(1.08, 1.4));
  return {
    ...plan,
    slots,
    slotHeight,
    pitch,
    injectionSlots: Math.max(2, Math.ceil(plan.injectionSlots / taller)),
    codeColumn: false,
    codesBelow: {
      gap,
      numbersAbove: ruled || random.chance(0.5) ? gap / 2 : 0,
      ruled,
      brackets: random.pick([
        ['', ''],
        ['', ''],
        ['(', ')'],
        ['[', ']'],
      ]),
      indent: random.chance(0.5) ? 0 : random.between(0.4, 1.5),
      scale: random.chance(0.7) ? 1 : random.between(0.85, 0.95),
      numbered: random.pick(['name', 'name', 'code']),
    },
  };
}

/** The name, and its code below. @param middle between the two. */
export function printCodeBelowName(
  sheet: Sheet,
  columns: Columns,
  line: PrescribedLine,
  middle: number,
  style: TextStyle,
  number: number,
): PrintedName {
  const { random, drawing, plan } = sheet;
  const { gap, brackets, indent, scale, numbered } = plan.codesBelow!;
  const { x, width } = nameCellOf(columns);
  const start = x + plan.shift.x;
  const height = Math.round(plan.pitch);
  const box = { x, y: Math.round(middle - height / 2), width, height };
  const lead = printLeadingNumber(sheet, number, start, middle + (numbered === 'name' ? -gap : gap) / 2, style);
  const [nameX, codeX] = numbered === 'name' ? [start + lead.width, start] : [start, start + lead.width];
  const name = fitting(line.name, x + width - nameX - plan.size * random.between(0.05, 0.5), style);
  drawing.text(name, nameX, middle - gap / 2, style);
  const nameBox = { ...box, height: Math.round(height / 2) };
  const upper = numbered === 'name' ? lead.text + name : name;
  if (line.code === null) return { name, texts: { drugName: name }, boxes: { drugName: nameBox }, box, cell: upper };
  const smaller = { ...style, size: style.size * scale };
  const code = brackets.join(line.code);
  const room = x + width - plan.size * 0.1 - textWidth(code, smaller);
  drawing.text(code, Math.min(room, codeX + indent * plan.size), middle + gap / 2, smaller);
  const codeBox = { ...box, y: box.y + nameBox.height, height: height - nameBox.height };
  return {
    name,
    texts: { drugName: name, drugCode: line.code },
    boxes: { drugName: nameBox, drugCode: codeBox },
    box,
    cell: `${upper} \n${numbered === 'code' ? lead.text : ''}${code}`,
  };
}

/** Parts each row into one for the name and one for the code. */
export function ruleBelowNames(
  sheet: Sheet,
  columns: Columns,
  top: number,
  count: number,
  dashes: string | undefined,
): void {
  const { slotHeight } = sheet.plan;
  for (let i = 0; i < count; i++) {
    const y = top + (i + 0.5) * slotHeight;
    rule(sheet, nameCellOf(columns).x, y, columns.doses[0]!.x, y, dashes);
  }
}

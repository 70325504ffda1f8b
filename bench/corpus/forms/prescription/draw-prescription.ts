import { Drawing } from '../../drawing/drawing.ts';
import type { PageImage } from '../../drawing/page-image.ts';
import type { Font } from '../../fonts.ts';
import type { CorpusMaster } from '../../master.ts';
import type { Random } from '../../random.ts';
import { isInjected, type PlacedLine, prescribedLines, prescribedStyle } from '../../sheet/prescribed-lines.ts';
import type { Split } from '../../truth.ts';
import { drawFoot, drawNotes, drawSmallPrint } from './foot.ts';
import { type FormPlan, formPlan } from './form-plan.ts';
import { drawHead } from './head.ts';
import { printLines } from './lines.ts';
import { drawMarks } from './marks.ts';
import { frame, type Sheet } from './sheet.ts';
import { columnsOf, drawInjectionHead, drawSlots, drawTableHead } from './table.ts';
import { tableTruth } from './truth.ts';

/**
 * The prescription by the form of law: one ruled frame in which the drug table is a part in the middle. Drawn as clinics'
 * printers leave it, a program's print on a form, seldom where the form wants it.
 * @param crops whether the picture may show the upper part or the table alone.
 */
export async function drawPrescription(
  random: Random,
  master: CorpusMaster,
  fonts: readonly Font[],
  split: Split,
  size: number,
  crops: boolean,
): Promise<PageImage> {
  const plan = formPlan(random, fonts, size);
  const drawing = new Drawing();
  const margin = size * random.between(1.6, 3.2);
  const sheet: Sheet = {
    random,
    drawing,
    plan,
    split,
    left: Math.round(margin),
    right: Math.round(plan.width - margin),
    form: { font: plan.formFont, size: plan.size, color: plan.formInk },
    print: { font: plan.printFont, size: plan.printSize, color: plan.printInk },
  };
  const part = crops ? random.weighted({ page: 56, upper: 26, table: 18 }) : 'page';
  let y = Math.round(size * random.between(1.5, 3.5));
  const top = y;
  if (part !== 'table') y = drawHead(sheet, y);
  const tableTop = y;
  const style = prescribedStyle(random);
  const lines = prescribedLines(random, master, split, lineCount(random, plan), style, (drug) => !isInjected(drug));
  const shots = random.chance(0.22)
    ? prescribedLines(random, master, split, random.int(1, Math.min(3, plan.injectionSlots)), style, isInjected)
    : [];
  const columns = columnsOf(sheet, tableTop);
  const headerHeight = Math.round(size * random.between(2.3, 3.3));
  drawTableHead(sheet, columns, tableTop, headerHeight);
  const bodyTop = tableTop + headerHeight;
  const bodyHeight = Math.round(plan.slots * plan.slotHeight);
  drawSlots(sheet, columns, bodyTop, plan.slots, bodyHeight, tableTop);
  const placed = printLines(sheet, columns, bodyTop, lines, plan.slots, true);
  y = bodyTop + bodyHeight;
  let injected: PlacedLine[] = [];
  if (part === 'page') {
    const injectionTop = y;
    y = drawInjectionHead(sheet, y, columns.usageX);
    const height = Math.round(plan.injectionSlots * plan.slotHeight);
    drawSlots(sheet, columns, y, plan.injectionSlots, height, injectionTop);
    injected = printLines(sheet, columns, y, shots, plan.injectionSlots, false);
    drawNotes(sheet, columns, injectionTop, y, height, lines, shots.length === 0);
    y = drawFoot(sheet, y + height);
  } else y += size * random.between(0.1, 0.6);
  frame(sheet, part === 'table' ? tableTop : top, y);
  if (part === 'page') y = drawSmallPrint(sheet, y);
  drawMarks(sheet, { x: sheet.left, y: bodyTop, width: sheet.right - sheet.left, height: bodyHeight }, placed, y);

  const height = Math.round(part === 'page' ? Math.max(y + margin, plan.width * random.between(1.3, Math.SQRT2)) : y);
  const raster = await drawing.render(plan.width, height, plan.ground);
  const all = [...placed, ...injected];
  return {
    raster,
    documentType: 'drug_table',
    table: tableTruth(sheet, columns, tableTop, headerHeight, all),
    made: {
      kind: 'prescription',
      part,
      rows: all.length,
      ruling: plan.rows,
      joint: plan.codeColumn ? 'column' : plan.joint,
      units: plan.units,
      font: plan.printFont.family,
      textPx: Math.round(plan.printSize * 10) / 10,
      formInk: plan.formInk,
      shiftedBy: Math.round((100 * plan.shift.y) / plan.slotHeight) / 100,
      injections: injected.length,
    },
  };
}

/** Few drugs are the rule; open cells take more lines than a ruled form has slots, as many as stand above its next part. */
export function lineCount(random: Random, plan: FormPlan): number {
  const openLines = Math.floor((plan.slots * plan.slotHeight - plan.shift.y - 1.3 * plan.printSize) / plan.pitch) + 1;
  const most = plan.rows === 'open' ? Math.min(13, openLines) : plan.slots;
  return Math.min(
    most,
    random.weighted({ few: 60, some: 30, many: 10 }) === 'few' ? random.int(1, 6) : random.int(5, 13),
  );
}

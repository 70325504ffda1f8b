import { Drawing } from '../../drawing/drawing.ts';
import type { PageImage } from '../../drawing/page-image.ts';
import type { Font } from '../../fonts.ts';
import type { CorpusMaster } from '../../master.ts';
import type { Random } from '../../random.ts';
import { isInjected, prescribedLines, prescribedStyle } from '../../sheet/prescribed-lines.ts';
import type { Split } from '../../truth.ts';
import type { Columns } from './columns.ts';
import { drawFoot, drawNotes, drawSmallPrint } from './foot.ts';
import { type FormPlan, formPlan } from './form-plan.ts';
import { drawHead } from './head.ts';
import { type FormLine, printLines } from './lines.ts';
import { drawMarks } from './marks.ts';
import { frame, type Sheet } from './sheet.ts';
import { drawInjectionHead, drawSlots, drawTableHead, halvesOf } from './table.ts';
import { tableTruth } from './truth.ts';
import { beside } from './variants/side-by-side.ts';
import { drawHalfBorders } from './variants/two-halves.ts';
import { type Variation, varied } from './variants/variant.ts';

/** Input for drawing a prescription. */
export interface PrescriptionOrder {
  readonly master: CorpusMaster;
  readonly fonts: readonly Font[];
  readonly split: Split;
  /** Pixels of the em. */
  readonly size: number;
  /** Whether the picture may show the upper part or the table alone. */
  readonly crops: boolean;
}

/** A page with a prescription, or with two side by side for that variant. */
export async function drawPrescription(
  random: Random,
  order: PrescriptionOrder,
  variation: Variation,
): Promise<PageImage> {
  const { variants } = variation;
  if (!variants.includes('side-by-side')) return drawForm(random, order, variation);
  // Shown whole: a cropped half would look like a page without a prescription.
  const whole = { ...order, crops: false };
  return beside(await drawForm(random, whole, variation), await drawForm(variation.random, whole, variation));
}

/**
 * The prescription by the form of law: one ruled frame in which the drug table is a part in the middle. Drawn as clinics'
 * printers leave it, a program's print on a form, seldom where the form wants it.
 */
async function drawForm(
  random: Random,
  { master, fonts, split, size, crops }: PrescriptionOrder,
  variation: Variation,
): Promise<PageImage> {
  const plan = varied(formPlan(random, fonts, size), variation);
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
  const drawnStyle = prescribedStyle(random, master);
  const style = plan.codesBelow ? { ...drawnStyle, codes: true } : drawnStyle;
  const lines = prescribedLines(random, master, split, lineCount(random, plan), style, (drug) => !isInjected(drug));
  const shots = random.chance(plan.injectionShare)
    ? prescribedLines(random, master, split, random.int(1, Math.min(3, plan.injectionSlots)), style, isInjected)
    : [];
  const halves = halvesOf(sheet, tableTop);
  const [first] = halves as readonly [Columns];
  const headerHeight = Math.round(Math.max(size * random.between(2.3, 3.3), size * plan.minHeaderHeight));
  for (const columns of halves) drawTableHead(sheet, columns, tableTop, headerHeight);
  const bodyTop = tableTop + headerHeight;
  const bodyHeight = Math.round(plan.slots * plan.slotHeight);
  for (const columns of halves) drawSlots(sheet, columns, bodyTop, plan.slots, bodyHeight, tableTop);
  drawHalfBorders(sheet, halves, tableTop, bodyTop + bodyHeight);
  const main = { top: bodyTop, slots: plan.slots, main: true, firstNumber: 1 };
  const placed = printLines(sheet, halves, main, lines);
  y = bodyTop + bodyHeight;
  let injected: FormLine[] = [];
  if (part === 'page') {
    const injectionTop = y;
    y = drawInjectionHead(sheet, y, halves.at(-1)!.usageX);
    const height = Math.round(plan.injectionSlots * plan.slotHeight);
    // A title that is wider than the names of a half has no rules through it.
    const ruleTop = plan.halves === 1 ? injectionTop : y;
    for (const columns of halves) drawSlots(sheet, columns, y, plan.injectionSlots, height, ruleTop);
    drawHalfBorders(sheet, halves, y, y + height);
    const firstNumber = plan.numbering?.restarts ? 1 : lines.length + 1;
    injected = printLines(sheet, halves, { top: y, slots: plan.injectionSlots, main: false, firstNumber }, shots);
    drawNotes(sheet, first, injectionTop, y, height, lines, shots.length === 0);
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
    table: tableTruth(sheet, halves, tableTop, headerHeight, [placed, injected]),
    made: {
      kind: 'prescription',
      ...(variation.variants.length === 0 ? {} : { variant: variation.variants.join('+') }),
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

/** Mostly few drugs; open cells take more lines than a ruled form has slots, as many as fit above its next part. */
export function lineCount(random: Random, plan: FormPlan): number {
  const firstLine = 1.3 * plan.printSize + (plan.codesBelow?.gap ?? 0);
  const openLines = Math.floor((plan.slots * plan.slotHeight - plan.shift.y - firstLine) / plan.pitch) + 1;
  const most = plan.rows === 'open' && plan.halves === 1 ? Math.min(13, openLines) : plan.slots;
  const wanted = random.weighted({ few: 60, some: 30, many: 10 }) === 'few' ? random.int(1, 6) : random.int(5, 13);
  // Mostly more than the left half holds.
  if (plan.halves === 2) return Math.min(2 * most, random.chance(0.85) ? most + random.int(1, most) : wanted);
  return Math.min(most, wanted);
}

import { Drawing, type TextStyle, textWidth } from '../drawing/drawing.ts';
import { drawRing, drawScribble, drawSeal, drawSquareCode, drawStroke, drawWatermark } from '../drawing/marks.ts';
import type { PageImage } from '../drawing/page-image.ts';
import { hospital, institutionNumber, person, phone } from '../drawing/people.ts';
import type { Font } from '../fonts.ts';
import type { CorpusMaster } from '../master.ts';
import type { Random } from '../random.ts';
import {
  isInjected,
  type PlacedLine,
  type PrescribedLine,
  prescribedLines,
  prescribedStyle,
  prescribedTruth,
  writeDose,
} from '../sheet/prescribed-lines.ts';
import type { GridCellTruth, Rect, RowTruth, Split, TableTruth } from '../truth.ts';
import { type FormPlan, formPlan } from './form-plan.ts';

/** Everything that the parts of the form need. */
interface Sheet {
  readonly random: Random;
  readonly drawing: Drawing;
  readonly plan: FormPlan;
  readonly split: Split;
  readonly left: number;
  readonly right: number;
  /** The form's own print. */
  readonly form: TextStyle;
  /** What the clinic's program prints into it. */
  readonly print: TextStyle;
}

/** Where the table's columns stand; the usage column takes what is left. */
interface Columns {
  readonly name: Rect;
  readonly code: Rect | null;
  readonly doses: readonly (FormPlan['columns'][number] & { readonly x: number; readonly px: number })[];
  readonly usageX: number;
}

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

/** Few drugs are the rule; open cells take more lines than a ruled form has slots. */
function lineCount(random: Random, plan: FormPlan): number {
  const most = plan.rows === 'open' ? 13 : plan.slots;
  return Math.min(
    most,
    random.weighted({ few: 60, some: 30, many: 10 }) === 'few' ? random.int(1, 6) : random.int(5, 13),
  );
}

function rule({ drawing, plan }: Sheet, x1: number, y1: number, x2: number, y2: number, dashes?: string): void {
  drawing.line(x1, y1, x2, y2, plan.formInk, plan.ruleWidth, dashes);
}

function frame(sheet: Sheet, top: number, bottom: number): void {
  const { drawing, plan, left, right } = sheet;
  drawing.rect(
    { x: left, y: top, width: right - left, height: bottom - top },
    'none',
    plan.formInk,
    plan.ruleWidth * 1.5,
  );
}

/** Title, insurance, number, patient, institution, diseases, the sentence of law. Returns where the table begins. */
function drawHead(sheet: Sheet, top: number): number {
  const { random, drawing, plan, left, right, form, print, split } = sheet;
  const { size } = plan;
  const width = right - left;
  const small: TextStyle = { ...form, size: size * 0.82 };
  drawing.text(
    random.pick(['[별지 제9호서식]', '[별지 제10호 서식]', '■ 의료법 시행규칙 [별지 제9호서식]']),
    left,
    top - size * 0.6,
    small,
  );
  const copy = random.pick(['(약국제출용)', '(환자보관용)', '(약국용)', '']);
  drawing.text(copy, right, top - size * 0.6, { ...small, align: 'right' });
  let y = top + size * 2;
  const spacing = ' '.repeat(random.int(2, 14));
  drawing.text(['처', '방', '전'].join(spacing), left + width / 2, y, {
    ...form,
    size: size * random.between(1.5, 2),
    bold: random.chance(0.5),
    align: 'center',
  });
  y += size * 2.1;
  if (random.chance(0.15)) {
    drawing.text('명칭:            증:             피보험자:', left + size, y, form);
    y += size * 1.3;
  }
  drawInsurance(sheet, y);
  y += size * 1.1;
  const row = size * random.between(1.7, 2.1);
  const middle = left + width * random.between(0.46, 0.54);
  rule(sheet, left, y, right, y);
  const block = y;
  drawing.text(random.pick(['교부번호', '교부번호', '교부 번호']), left + size * 2.6, y + row / 2, {
    ...form,
    align: 'center',
  });
  const year = random.int(2015, 2026);
  drawing.text(
    `${year} 년 ${String(random.int(1, 12)).padStart(2, '0')} 월 ${String(random.int(1, 28)).padStart(2, '0')} 일 ${random.pick(['-', '~', '—'])} 제 ${String(random.int(1, 19999)).padStart(5, '0')} 호`,
    left + size * 6.2,
    y + row / 2,
    print,
  );
  rule(sheet, left, y + row, middle, y + row);
  rule(sheet, left + size * 5.4, y, left + size * 5.4, y + row);
  ['환', '자'].forEach((letter, i) => {
    drawing.text(letter, left + size * 1.1, y + row * (1.7 + 1.5 * i), { ...form, align: 'center' });
  });
  rule(sheet, left + size * 2.2, y + row, left + size * 2.2, y + row * 4);
  ['성      명', '주민등록번호'].forEach((label, i) => {
    drawing.text(label, left + size * 5.2, y + row * (1.75 + 1.5 * i), { ...form, align: 'center' });
    drawing.text(
      i === 0 ? person(random) : `${random.int(400101, 991231)}-${random.int(1, 4)}******`,
      left + size * 9,
      y + row * (1.75 + 1.5 * i),
      print,
    );
  });
  rule(sheet, left + size * 2.2, y + row * 2.5, middle, y + row * 2.5);
  rule(sheet, left + size * 8.4, y + row, left + size * 8.4, y + row * 4);
  rule(sheet, middle, y, middle, y + row * 4);
  ['의', '료', '기', '관'].forEach((letter, i) => {
    drawing.text(letter, middle + size, y + row * (0.5 + i), { ...form, align: 'center' });
  });
  rule(sheet, middle + size * 2, y, middle + size * 2, y + row * 4);
  const facts = [hospital(random, split), phone(random), phone(random), ''];
  ['명   칭', '전화번호', '팩스번호', 'e-mail주소'].forEach((label, i) => {
    drawing.text(label, middle + size * 4.2, y + row * (i + 0.5), { ...form, size: size * 0.9, align: 'center' });
    drawing.text(facts[i]!, middle + size * 7.2, y + row * (i + 0.5), print);
    if (i > 0) rule(sheet, middle + size * 2, y + row * i, right, y + row * i);
  });
  rule(sheet, middle + size * 6.6, y, middle + size * 6.6, y + row * 4);
  y = drawDiseases(sheet, block + row * 4, row, middle);
  rule(sheet, left, y, right, y);
  drawing.text(
    random.pick(['※', '*', '※ ']) +
      random.pick([
        '환자의 요구가 있을 때에는 질병분류기호를 기재하지 아니합니다.',
        '환자가 요구하면 질병분류기호를 적지 않습니다.',
        '환자의 요구가 있는 때에는 질병분류기호를 기재하지 아니합니다.',
      ]),
    left + size * 0.4,
    y + row * 0.5,
    form,
  );
  return Math.round(y + row);
}

function drawInsurance({ random, drawing, plan, left, right, form }: Sheet, y: number): void {
  const { size } = plan;
  const kinds = ['의료보험', '의료급여', '산재보험', '자동차보험', '기타(          )'];
  const marks = random.weighted({ boxes: 45, rounds: 40, single: 15 });
  let x = left + size * 0.5;
  for (const [i, kind] of (marks === 'single' ? kinds.slice(0, 1) : kinds).entries()) {
    if (marks === 'boxes') {
      drawing.rect(
        { x, y: y - size * 0.55, width: size * 1.1, height: size * 1.1 },
        'none',
        plan.formInk,
        plan.ruleWidth,
      );
      drawing.text(String(i + 1), x + size * 0.55, y, { ...form, size: size * 0.9, align: 'center' });
      x += size * 1.3;
    } else {
      drawing.text('①②③④⑤'[i]!, x, y, form);
      x += size * 1.05;
    }
    drawing.text(kind, x, y, { ...form, size: size * 0.92 });
    x += textWidth(kind, { ...form, size: size * 0.92 }) + size * 0.7;
  }
  if (random.chance(0.4)) drawing.text('V', left + size * 0.6, y, { ...form, color: '#111' });
  drawing.text('요양기관기호 :', right - size * 11, y, { ...form, size: size * 0.92 });
  drawing.text(institutionNumber(random), right - size * 0.6, y, { ...form, color: plan.printInk, align: 'right' });
}

/** Disease codes, a letter a cell or a code a cell, with the doctor's name and licence beside them. */
function drawDiseases(sheet: Sheet, top: number, row: number, middle: number): number {
  const { random, drawing, plan, left, right, form, print } = sheet;
  const { size } = plan;
  const bottom = top + row * 2;
  rule(sheet, left, top, right, top);
  ['질병', '분류', '기호'].forEach((text, i) => {
    drawing.text(text, left + size * 1.4, top + row * (0.38 + 0.62 * i), {
      ...form,
      size: size * 0.92,
      align: 'center',
    });
  });
  const codes = Array.from(
    { length: random.int(1, 4) },
    () => `${random.pick(['J', 'K', 'M', 'I', 'E', 'R'])}${random.int(100, 9999)}`,
  );
  const cells = random.chance(0.6) ? 5 : 3;
  const cellWidth = (middle - size * 4 - left - size * 2.8) / cells;
  for (let i = 0; i <= cells; i++)
    rule(sheet, left + size * 2.8 + i * cellWidth, top, left + size * 2.8 + i * cellWidth, bottom);
  rule(sheet, left + size * 2.8, top + row, left + size * 2.8 + cells * cellWidth, top + row);
  for (let line = 0; line < 2; line++)
    for (let i = 0; i < cells; i++) {
      const text = cells === 5 ? (codes[line]?.[i] ?? '') : (codes[line * cells + i] ?? '');
      drawing.text(text, left + size * 2.8 + (i + 0.5) * cellWidth, top + row * (line + 0.5), {
        ...print,
        align: 'center',
      });
    }
  const doctor = left + size * 2.8 + cells * cellWidth;
  ['처   방', '의료인의', '성   명'].forEach((text, i) => {
    drawing.text(text, doctor + size * 1.7, top + row * (0.38 + 0.62 * i), {
      ...form,
      size: size * 0.85,
      align: 'center',
    });
  });
  rule(sheet, doctor + size * 3.4, top, doctor + size * 3.4, bottom);
  drawing.text(person(random), doctor + size * 4.4, top + row, print);
  drawing.text('(서명 또는 날인)', right - size * 12.6, top + row * 1.6, {
    ...form,
    size: size * 0.75,
    align: 'right',
  });
  if (random.chance(0.65))
    drawSeal(random, drawing, right - size * random.between(13, 16), top + row, size * 0.8, plan.formFont);
  const licence = right - size * 11.5;
  rule(sheet, licence, top, licence, bottom);
  rule(sheet, licence, top + row, right, top + row);
  rule(sheet, licence + size * 4.4, top, licence + size * 4.4, bottom);
  ['면허종별', '면허번호'].forEach((text, i) => {
    drawing.text(text, licence + size * 2.2, top + row * (i + 0.5), { ...form, size: size * 0.9, align: 'center' });
  });
  drawing.text('의   사', licence + size * 5.4, top + row * 0.5, print);
  drawing.text(`제 ${random.int(10_000, 139_999)} 호`, licence + size * 4.8, top + row * 1.5, print);
  return bottom;
}

function columnsOf(sheet: Sheet, top: number): Columns {
  const { plan, left, right } = sheet;
  const { size } = plan;
  const codeWidth = plan.codeColumn ? size * 6.4 : 0;
  let x = Math.round(left + codeWidth + size * plan.nameWidth);
  const name = { x: left + codeWidth, y: top, width: x - left - codeWidth, height: 0 };
  const spare = right - x - size * plan.columns.reduce((sum, { width }) => sum + width, 0);
  const stretch = plan.hasUsage ? 1 : 1 + spare / (right - x - spare);
  const doses = plan.columns.map((column) => {
    const px = Math.round(column.width * size * stretch);
    const at = { ...column, x, px };
    x += px;
    return at;
  });
  return {
    name,
    code: plan.codeColumn ? { ...name, x: left, width: codeWidth } : null,
    doses,
    usageX: Math.min(x, right),
  };
}

function drawTableHead(sheet: Sheet, columns: Columns, top: number, height: number): void {
  const { random, drawing, plan, left, right, form } = sheet;
  const { size } = plan;
  if (plan.headerFill !== 'none') drawing.rect({ x: left, y: top, width: right - left, height }, plan.headerFill);
  rule(sheet, left, top, right, top);
  rule(sheet, left, top + height, right, top + height);
  const text = { ...form, align: 'center' as const };
  const { name } = columns;
  const put = (lines: readonly string[], x: number, width: number) => {
    const fit = Math.min(size, ...lines.map((one) => (size * width * 0.96) / Math.max(1, textWidth(one, form))));
    lines.forEach((one, i) => {
      const middle = top + height / 2 + (i - (lines.length - 1) / 2) * (height / Math.max(2.3, lines.length + 0.2));
      drawing.text(one, x + width / 2, middle, { ...text, size: Math.max(size * 0.55, fit) });
    });
  };
  if (columns.code) put(['코 드'], columns.code.x, columns.code.width);
  put(columns.code ? ['처방의약품의 명칭'] : plan.nameHeader, name.x, name.width);
  for (const column of columns.doses) put(column.header, column.x, column.px);
  if (!plan.hasUsage) return;
  const room = right - columns.usageX;
  const wide = random.chance(0.6);
  drawing.text('용', columns.usageX + room * (wide ? 0.25 : 0.44), top + height / 2, text);
  drawing.text('법', columns.usageX + room * (wide ? 0.78 : 0.58), top + height / 2, text);
}

/** Ruled, dashed or open rows, and the columns' own rules down to the bottom. */
function drawSlots(sheet: Sheet, columns: Columns, top: number, count: number, height: number, ruleTop: number): void {
  const { plan, left, right } = sheet;
  const end = plan.hasUsage ? columns.usageX : right;
  const dashes = plan.rows === 'dashed' ? `${Math.round(plan.size * 0.35)} ${Math.round(plan.size * 0.25)}` : undefined;
  if (plan.rows !== 'open')
    for (let i = 1; i < count; i++)
      rule(sheet, left, top + i * plan.slotHeight, end, top + i * plan.slotHeight, dashes);
  rule(sheet, left, top + height, right, top + height);
  if (columns.code) rule(sheet, columns.name.x, top, columns.name.x, top + height);
  for (const { x } of columns.doses)
    rule(sheet, x, ruleTop === top ? top : Math.min(top, ruleTop), x, top + height, columnDashes(sheet, dashes));
  if (plan.hasUsage) rule(sheet, columns.usageX, ruleTop, columns.usageX, top + height);
}

/** Dashed forms dash their columns too, now and then. */
function columnDashes({ random }: Sheet, dashes: string | undefined): string | undefined {
  return dashes !== undefined && random.chance(0.5) ? dashes : undefined;
}

/** The program's print: lines of drugs, headings between them, the end of the list. */
function printLines(
  sheet: Sheet,
  columns: Columns,
  bodyTop: number,
  lines: readonly PrescribedLine[],
  slots: number,
  main: boolean,
): PlacedLine[] {
  const { random, drawing, plan, left, print } = sheet;
  const { shift } = plan;
  const open = plan.rows === 'open';
  const headed = main && lines.length > 1 && lines.length + 3 < slots && random.chance(0.12);
  const tabEm = random.between(7.2, 9);
  const spellUnit = (line: PrescribedLine) =>
    plan.units === 'none' || (plan.units === 'some' && random.chance(0.5)) ? '' : line.unit;
  const placed: PlacedLine[] = [];
  let at = 0;
  const middleOf = (slot: number) =>
    bodyTop + shift.y + (open ? plan.printSize * 0.7 + slot * plan.pitch : (slot + 0.5) * plan.pitch);
  for (const line of lines) {
    if (headed && placed.length === 0) {
      drawing.text(random.pick(['[내복약]', '< 내 복 >', '* 내복약']), left + shift.x, middleOf(at), print);
      at++;
    }
    const middle = middleOf(at);
    at++;
    const smaller = random.chance(0.08);
    const style: TextStyle = smaller ? { ...print, size: print.size * 0.85 } : print;
    placed.push(printLine(sheet, columns, line, middle, style, tabEm, spellUnit(line)));
  }
  if (main && plan.ending !== null && at < slots) {
    drawing.text(plan.ending, left + shift.x * random.between(0.5, 3), middleOf(at), print);
    at++;
  }
  if (main && at + 2 < slots && random.chance(0.08)) {
    // What is left empty is struck out, so that nothing can be added.
    const ink = random.pick(['#222', '#1e3a8a']);
    drawStroke(
      random,
      drawing,
      [columns.usageX - plan.size * 3, middleOf(at)],
      [left + plan.size * 3, middleOf(slots - 1)],
      plan.size * 0.1,
      ink,
    );
  }
  return placed;
}

function printLine(
  sheet: Sheet,
  columns: Columns,
  line: PrescribedLine,
  middle: number,
  style: TextStyle,
  tabEm: number,
  unit: string,
): PlacedLine {
  const { random, drawing, plan, left, print } = sheet;
  const { shift } = plan;
  const joined = { blank: ' ', brackets: '', tab: '', dots: '. ' }[plan.joint];
  const start = left + shift.x;
  let nameX = start;
  if (line.code !== null) {
    const code = plan.joint === 'brackets' && !columns.code ? `(${line.code})` : line.code;
    drawing.text(code, start, middle, style);
    nameX = columns.code
      ? columns.name.x + plan.size * 0.4
      : plan.joint === 'tab'
        ? start + plan.printSize * tabEm * 0.62 + plan.printSize * 1.6
        : start + textWidth(code + joined, style);
    if (plan.joint === 'dots' && !columns.code) drawing.text('.', start + textWidth(code, style), middle, style);
  }
  const room = columns.name.x + columns.name.width - nameX - plan.size * random.between(0.05, 0.5);
  const name = fitting(line.name, room, style);
  drawing.text(name, nameX, middle, style);
  const height = Math.round(plan.pitch);
  const y = Math.round(middle - height / 2);
  const nameBox = {
    x: columns.code?.x ?? columns.name.x,
    y,
    width: columns.name.x + columns.name.width - (columns.code?.x ?? columns.name.x),
    height,
  };
  const texts: Record<string, string> = { drugName: name };
  const boxes: Record<string, Rect> = { drugName: nameBox };
  if (line.code !== null) {
    texts.drugCode = line.code;
    boxes.drugCode = nameBox;
  }
  for (const column of columns.doses) {
    const text = doseText(line, column.kind, plan, unit, random);
    const inkWidth = textWidth(text, print);
    const x = column.x + Math.max(plan.size * 0.15, (column.px - inkWidth) / 2) + shift.numbersX;
    const apart = plan.units === 'apart' && unit !== '' && (column.kind === 'quantity' || column.kind === 'daily');
    if (apart) {
      const [number = '', word = ''] = text.split(' ');
      const spread = Math.min(plan.size * 1.1, Math.max(plan.size * 0.3, (column.px - inkWidth) / 2 - plan.size * 0.2));
      drawing.text(number, x - spread / 2, middle, print);
      drawing.text(word, x + textWidth(number, print) + spread / 2 + plan.size * 0.25, middle, {
        ...print,
        size: print.size * 0.92,
      });
    } else drawing.text(text, x, middle, print);
    if (column.kind === 'daily' || column.kind === 'share') continue;
    texts[column.kind] = text;
    boxes[column.kind] = { x: column.x, y, width: column.px, height };
  }
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
  return { line, box: { ...nameBox, width: columns.usageX - nameBox.x }, name, texts, boxes };
}

function doseText(
  line: PrescribedLine,
  kind: FormPlan['columns'][number]['kind'],
  plan: FormPlan,
  unit: string,
  random: Random,
): string {
  const withUnit = (value: number) => {
    const number = writeDose(value, Number(plan.decimals));
    return unit === '' ? number : plan.units === 'attached' ? `${number}${unit}` : `${number} ${unit}`;
  };
  switch (kind) {
    case 'quantity':
      return withUnit(line.quantity);
    case 'daily':
      return withUnit(daily(line));
    case 'timesPerDay':
      return String(line.timesPerDay);
    case 'days':
      return String(line.days);
    case 'share':
      return random.chance(0.15) ? random.pick(['A', 'B', 'V', 'W']) : '';
  }
}

function drawInjectionHead(sheet: Sheet, top: number, end: number): number {
  const { random, drawing, plan, left, right, form } = sheet;
  const { size } = plan;
  const height = size * random.between(1.6, 2.2);
  const x = left + size * random.between(1, 6);
  const title = random.pick(['주사제 처방내역', '주사제 처방명세', '주 사 제 처 방 내 역']);
  const words = [`${title}(원내조제`, ' , 원외처방', ')'];
  let at = x;
  words.forEach((word, i) => {
    drawing.text(word, at, top + height / 2, form);
    at += textWidth(word, form) + size * 0.3;
    if (i === 2) return;
    drawing.rect(
      { x: at, y: top + height / 2 - size * 0.42, width: size * 0.84, height: size * 0.84 },
      'none',
      plan.formInk,
      plan.ruleWidth * 1.3,
    );
    at += size * 1.1;
  });
  rule(sheet, left, top + height, plan.hasUsage ? end : right, top + height);
  return Math.round(top + height);
}

/** 조제시참고사항, beside or in the section of injections; programs print here which drugs their check complained of. */
function drawNotes(
  sheet: Sheet,
  columns: Columns,
  top: number,
  sectionTop: number,
  sectionHeight: number,
  lines: readonly PrescribedLine[],
  sectionEmpty: boolean,
): void {
  const { random, drawing, plan, left, right, form, print } = sheet;
  const { size } = plan;
  const x = columns.usageX;
  if (plan.hasUsage) {
    const title = random.pick(['조 제 시 참 고 사 항', '조제시 참고사항', '조제 시 참고사항']);
    const fit = Math.min(size * 0.95, ((right - x) / textWidth(title, form)) * size * 0.95);
    drawing.text(title, (x + right) / 2, top + size * 0.9, { ...form, align: 'center', size: fit });
    rule(sheet, x, top, right, top);
    rule(sheet, x, sectionTop, right, sectionTop);
  }
  const codes = lines.flatMap(({ code }) => code ?? []);
  const repeats = random.chance(0.5) && codes.length > 0;
  const beside = plan.hasUsage && (!sectionEmpty || random.chance(0.55));
  const small: TextStyle = { ...print, size: print.size * (beside ? 0.8 : 0.92) };
  const noted = random.shuffled(codes).slice(0, random.int(1, 5));
  if (repeats && (beside || sectionEmpty)) {
    const dur = random.chance(0.5);
    const texts = dur
      ? [
          '[DUR_점검결과]',
          ...noted.map(
            (code) =>
              `${beside ? '' : '  '}${code} JT0${random.int(10, 19)}${random.chance(0.3) ? ' F/복용기간이 중복되지 않는 경우' : ''}`,
          ),
        ]
      : ['동일성분 중복처방 사유', ...noted.map((code) => `${code}. 사유코드: ${random.pick(['A', 'B', 'C', 'D'])}`)];
    texts.forEach((text, i) => {
      const y = sectionTop + size * 0.8 + i * small.size * 1.2;
      if (y > sectionTop + sectionHeight - size * 0.5) return;
      const room = (beside ? right - x : columns.doses[0]!.x - left) - size;
      drawing.text(fitting(text, room, small), (beside ? x : left) + size * 0.5, y, small);
    });
  }
  if (random.chance(0.35))
    drawSquareCode(random, drawing, right - size * 5, sectionTop + sectionHeight - size * 5, size * 4.4);
}

/** How long it is valid, and what the pharmacy fills in. */
function drawFoot(sheet: Sheet, top: number): number {
  const { random, drawing, plan, left, right, form, print } = sheet;
  const { size } = plan;
  const row = size * random.between(1.6, 2);
  let y = top;
  drawing.text('사용기간', left + size * 2.4, y + row / 2, { ...form, align: 'center' });
  rule(sheet, left + size * 4.8, y, left + size * 4.8, y + row);
  drawing.text(`${random.pick(['교부일로부터', '발급일부터'])} (    )일간`, left + size * 6, y + row / 2, form);
  drawing.text(String(random.pick([3, 3, 5, 7])), left + size * 13.2, y + row / 2, print);
  drawing.text(
    `${random.pick(['*', '※', ''])}사용기간내에 약국에 제출하여야 합니다.`,
    right - size * 1.5,
    y + row / 2,
    { ...form, align: 'right' },
  );
  y += row;
  rule(sheet, left, y, right, y);
  if (random.chance(0.15)) return Math.round(y);
  drawing.text(random.pick(['의  약  품   조  제  내  역', '의 약 품 조 제 내 역']), (left + right) / 2, y + row / 2, {
    ...form,
    align: 'center',
  });
  y += row;
  rule(sheet, left, y, right, y);
  const middle = left + (right - left) * 0.55;
  ['조제기관명칭', '조제 약사', '조 제 량', '조제년월일'].forEach((label, i) => {
    drawing.text(label, left + size * 5.3, y + row * (i + 0.5), { ...form, align: 'center' });
    if (i > 0) rule(sheet, left + size * 2, y + row * i, middle, y + row * i);
  });
  [...'조제내역'].forEach((letter, i) => {
    drawing.text(letter, left + size, y + row * (i + 0.5), { ...form, align: 'center' });
  });
  drawing.text('처방의 변경,수정,확인대체시 그 내용 등', middle + size * 0.6, y + row / 2, {
    ...form,
    size: size * 0.92,
  });
  rule(sheet, left + size * 2, y, left + size * 2, y + row * 4);
  rule(sheet, left + size * 8.6, y, left + size * 8.6, y + row * 4);
  rule(sheet, middle, y, middle, y + row * 4);
  rule(sheet, middle, y + row, right, y + row);
  return Math.round(y + row * 4);
}

function drawSmallPrint({ random, drawing, plan, left, right, form }: Sheet, top: number): number {
  const { size } = plan;
  let y = top + size * 0.9;
  if (random.chance(0.25)) {
    for (const text of [
      '1. 본인부담률 구분코드:「국민건강보험법 시행령」별표2 제4호 및 제6호에 따른 약제를 처방한 경우 본인이 부담할',
      '   비용의 부담률에 부여된 해당 구분코드를 적습니다.',
      '  * A: 100분의 50 본인부담, B: 100분의 80 본인부담, D: 100분의 30 본인부담, E: 100분의 90 본인부담,',
      '2. 본인부담 구분기호:「본인일부부담금 산정특례에 관한 기준」등에 따른 특정기호 등을 적습니다.',
    ]) {
      drawing.text(text, left, y, { ...form, size: size * 0.78 });
      y += size * 1.05;
    }
  }
  drawing.text(random.pick(['210mm x 297mm(백상지 80g/㎡)', '210mm×297mm(일반용지 60g/㎡)']), right, y, {
    ...form,
    size: size * 0.78,
    align: 'right',
  });
  return y;
}

/** Pens, rings, seals and watermarks over the printed page. */
function drawMarks(sheet: Sheet, body: Rect, placed: readonly PlacedLine[], bottom: number): void {
  const { random, drawing, plan, left, right } = sheet;
  const { size } = plan;
  if (random.chance(0.22))
    drawScribble(random, drawing, left + size * random.between(0, 30), size * 2.4, size * random.between(1.2, 3));
  if (random.chance(0.14))
    drawWatermark(
      random,
      drawing,
      { x: 0, y: 0, width: plan.width, height: bottom },
      size * random.between(1.6, 3.4),
      plan.formFont,
    );
  if (random.chance(0.12))
    drawScribble(
      random,
      drawing,
      right - size * random.between(5, 9),
      body.y + size * random.between(1, 8),
      size * random.between(0.9, 1.6),
    );
  if (random.chance(0.14))
    for (const { box } of random.shuffled(placed).slice(0, random.int(1, 2)))
      drawRing(
        random,
        drawing,
        { ...box, x: box.x - size * 0.3, width: box.width * random.pick([0.35, 0.9]) },
        size * 0.12,
      );
  if (random.chance(0.12))
    drawRing(random, drawing, { x: right - size * 8, y: size * 0.6, width: size * 7, height: size * 2.6 }, size * 0.16);
  if (random.chance(0.1))
    drawSeal(
      random,
      drawing,
      left + size * random.between(4, 30),
      body.y + size * random.between(2, 10),
      size,
      plan.formFont,
    );
}

function tableTruth(
  sheet: Sheet,
  columns: Columns,
  top: number,
  headerHeight: number,
  placed: readonly PlacedLine[],
): TableTruth {
  const { plan, right } = sheet;
  const left = columns.code?.x ?? columns.name.x;
  const rows: readonly RowTruth[] = placed.map(prescribedTruth);
  const last = placed.at(-1)!.box;
  const bottom = last.y + last.height;
  const nameHeader = plan.nameHeader.join('\n');
  const cells: GridCellTruth[] = [];
  const place = (row: number, column: number, text: string, box: Rect) => {
    cells.push({ row, column, rowSpan: 1, columnSpan: 1, text, box });
  };
  const first = columns.code ? 1 : 0;
  const header = (x: number, width: number): Rect => ({ x, y: top, width, height: headerHeight });
  if (columns.code) place(0, 0, '코 드', header(columns.code.x, columns.code.width));
  place(0, first, nameHeader, header(columns.name.x, columns.name.width));
  columns.doses.forEach(({ header: lines, x, px }, i) => {
    place(0, first + 1 + i, lines.join('\n'), header(x, px));
  });
  placed.forEach(({ line, name, texts, box }, i) => {
    const at = (x: number, width: number): Rect => ({ ...box, x, width });
    const code = line.code === null ? '' : plan.joint === 'brackets' ? `(${line.code})` : `${line.code} `;
    if (columns.code) place(i + 1, 0, line.code ?? '', at(columns.code.x, columns.code.width));
    place(i + 1, first, columns.code ? name : code + name, at(columns.name.x, columns.name.width));
    columns.doses.forEach(({ kind, x, px }, column) => {
      const text = kind === 'daily' ? writeDose(daily(line), 0) : kind === 'share' ? '' : (texts[kind] ?? '');
      place(i + 1, first + 1 + column, text, at(x, px));
    });
  });
  return {
    box: { x: left, y: top, width: (plan.hasUsage ? columns.usageX : right) - left, height: bottom - top },
    headerRowCount: 1,
    columns: [
      { kind: 'drugName', header: nameHeader, box: { ...columns.name, y: top, height: bottom - top } },
      ...columns.doses.map(({ kind, header: lines, x, px }) => ({
        kind: kind === 'daily' ? ('usage' as const) : kind === 'share' ? ('note' as const) : kind,
        header: lines.join(' '),
        box: { x, y: top, width: px, height: bottom - top },
      })),
    ],
    rows,
    grid: { rowCount: placed.length + 1, columnCount: first + 1 + columns.doses.length, cells },
    footer: { totalAmount: null, lineCount: null, totalIsSum: true },
    complete: true,
  };
}

/** Thirds of a tablet add up to whole ones. */
function daily({ quantity, timesPerDay }: PrescribedLine): number {
  return Math.round(quantity * timesPerDay * 100) / 100;
}

/** As much of a text as its place holds: programs cut at the letter. */
function fitting(text: string, width: number, style: TextStyle): string {
  let length = text.length;
  while (length > 4 && textWidth(text.slice(0, length).trimEnd(), style) > width) length--;
  return text.slice(0, length).trimEnd();
}

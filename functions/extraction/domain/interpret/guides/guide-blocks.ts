import { medianOf } from '../../median.ts';
import { joinReadings, partOf } from '../../reading/reading-parts.ts';
import type { Box, ReadCell, Reading, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { endsInOpenBracket } from '../../text/open-bracket.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { COUNT_FIELDS } from '../headers/column-kinds.ts';
import { withoutListNumbers } from '../lists/list-numbers.ts';
import { isRemarkLine } from '../lists/remark-lines.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { centerY, hullOf, isLevel, joinPrint, overlap, type Print } from '../print.ts';
import type { DoseLine } from './dose-line.ts';
import { dosesOf, letterWidth, widthOf } from './guide-doses.ts';

const HEADERS: Readonly<Record<(typeof COUNT_FIELDS)[number], string>> = {
  quantity: '1회투약량',
  timesPerDay: '1일투여횟수',
  days: '총투약일수',
  prescribedQty: '총투약량',
};

/** A drug's dose, and its name where one was found. */
interface Block {
  readonly dose: DoseLine;
  readonly name: Print | null;
}

/** Names of people may end like those of injections and powders. */
const PERSON = /(?:^| )\p{Script=Hangul}{1,2}[주산]$/u;

/** Text before a telephone number may be misread as the end of a liquid's name. */
const TELEPHONE = /(?<!\d)\d{2,4}-\d{3,4}-\d{4}(?!\d)/;

/** Labels that may precede a name. */
const NAME_LABEL = /^(?:약품명|약품|약 ?이름|약명|제품명|의약품명)\s?[:：]\s?/;

/** Numbers behind other labels than a drug's are not codes: 교부번호: 80218808. */
const LABEL = /\p{L}\s?[:：]/u;
const CODE_LABEL = /코드\s?[:：]/;

/**
 * The drugs of a guide that has no grid: for each a block with its name on top and, somewhere below, its dose in one line of
 * labels and values. Null where there is no such line.
 */
export function guideTable(prints: readonly Print[], template: Template): ReadTable | null {
  const doses = dosesOf(prints, template);
  if (doses.length === 0) return null;
  const columns = columnsOf(doses);
  const parted = prints.flatMap((print) => partAtColumns(print, columns));
  const blocks = inReadingOrder(columns).map((dose) => ({ dose, name: nameOf(dose, doses, parted) }));
  return toTable(blocks.map(({ dose, name }) => ({ dose, name: name ?? nameAtPlace(dose, blocks, parted) })));
}

/** Blocks are in separate columns, from left to right. */
function columnsOf(doses: readonly DoseLine[]): readonly (readonly DoseLine[])[] {
  const columns: DoseLine[][] = [];
  for (const dose of doses.toSorted((a, b) => a.box.x - b.box.x)) {
    const { x, width } = dose.box;
    const column = columns.find(([first]) => overlap(first!.box.x, first!.box.x + first!.box.width, x, x + width) > 0);
    if (column) column.push(dose);
    else columns.push([dose]);
  }
  for (const column of columns) column.sort((a, b) => a.box.y - b.box.y);
  return columns;
}

/** The first block of each column from left to right, then the second, however tall they are. */
function inReadingOrder(columns: readonly (readonly DoseLine[])[]): readonly DoseLine[] {
  const tallest = Math.max(...columns.map((column) => column.length));
  return Array.from({ length: tallest }, (_, place) => columns.flatMap((column) => column[place] ?? [])).flat();
}

/** In heights of a line: how far before the next column's blocks the blank is looked for that separates two names, at most. */
const COLUMN_SLACK = 3;

/**
 * Splits a line that runs from the blocks of one column into those of the next: between long names there is no wide gap. The split is at the
 * blank nearest to the next column, whose position is estimated from typical letter widths.
 */
function partAtColumns(print: Print, columns: readonly (readonly DoseLine[])[]): readonly Print[] {
  const { x, width, height } = print.box;
  const start = columns
    .map((column) => Math.min(...column.map(({ box }) => box.x)))
    .find((left) => left > x + COLUMN_SLACK * height && left < x + width - COLUMN_SLACK * height);
  const beginsIn = (column: readonly DoseLine[]) =>
    column[0]!.box.x < x + height && column.some(({ box }) => box.x + box.width > x);
  if (start === undefined || !columns.some(beginsIn)) return [print];
  const unit = width / widthOf(print.text);
  let [best, at] = [Number.POSITIVE_INFINITY, -1];
  let end = x;
  for (const [index, letter] of [...print.text].entries()) {
    end += letterWidth(letter) * unit;
    if (letter === ' ' && Math.abs(end - start) < best) [best, at] = [Math.abs(end - start), index];
  }
  if (best > COLUMN_SLACK * height) return [print];
  const left = { ...print, ...partOf(print, 0, at), box: { ...print.box, width: start - x } };
  const right = {
    ...print,
    ...partOf(print, at + 1, print.text.length),
    box: { ...print.box, x: start, width: x + width - start },
  };
  return [left, ...partAtColumns(right, columns)];
}

/** A barcode above the first block reads as letters and digits, but with less confidence than print does. */
const UNREAD = 0.05;

/** Letters of the shortest name: titles are read as words of two that end like one. */
const MIN_NAME_LETTERS = 3;
/** Minimum names that locate the others. */
const MIN_PLACED = 2;

/**
 * The highest line of the block that reads like a drug's name, surely or not: below the previous dose, above its own dose or to its left,
 * but within the block.
 */
function nameOf(dose: DoseLine, doses: readonly DoseLine[], prints: readonly Print[]): Print | null {
  const isAligned = ({ box: { x, width } }: { box: Box }) =>
    overlap(dose.box.x, dose.box.x + dose.box.width, x, x + width) > 0;
  const [top, topOfAll] = [endOf(doses.filter(isAligned), dose), endOf(doses, dose)];
  const above = prints.filter((print) => isAligned(print) && print.box.y > top && centerY(print.box) < dose.box.y);
  const isLeft = ({ x, width }: Box) => x + width <= dose.box.x;
  const isBeside = (box: Box) => centerY(box) > topOfAll && centerY(box) < dose.box.y + dose.box.height;
  return (
    highestName(above, prints) ??
    highestName(
      prints.filter(({ box }) => isLeft(box) && isBeside(box)),
      prints,
    )
  );
}

/** Where the last dose above this one ends. */
function endOf(doses: readonly DoseLine[], { box }: DoseLine): number {
  const ends = doses.map((other) => other.box.y + other.box.height).filter((end) => end <= box.y);
  return Math.max(...ends);
}

/** @param around all prints: the rest of a name may be too short to reach the block's numbers. */
function highestName(prints: readonly Print[], around: readonly Print[]): Print | null {
  const block = prints.toSorted((a, b) => a.box.y - b.box.y);
  const lines = block.map((print) => wholeLine(print, block));
  const names = lines.filter(isName);
  // Of two codes the nearer is this dose's: that of the block above was not read.
  const coded = names.findLast((print) => looksLikeDrugName(splitCodeAndName(print)?.name.text ?? ''));
  const name = coded ?? names.find(isSurelyNamed) ?? names.find(({ confidence }) => confidence >= UNREAD) ?? names[0];
  if (!name) return null;
  const whole = withSecondLine(name, around);
  return coded ? whole : withCodeBeside(withCodeBelow(whole, lines), around);
}

function isSurelyNamed({ text, confidence }: Print): boolean {
  return confidence >= UNREAD && looksLikeDrugName(text);
}

/** A name with the single code that its block prints in a separate line, perhaps behind a label. */
function withCodeBelow(name: Print, lines: readonly Print[]): Print {
  if (splitCodeAndName(name) !== null) return name;
  const isOfDrug = ({ text }: Print) => !LABEL.test(text) || CODE_LABEL.test(text);
  const codes = lines.filter(isOfDrug).flatMap((print) => splitCodeAndName(print)?.code ?? []);
  return codes.length === 1 ? { ...name, ...joinReadings([name, codes[0]!], ' ') } : name;
}

/** A name with the code that stands alone in its line, at the other end of its block. */
function withCodeBeside(name: Print, prints: readonly Print[]): Print {
  if (splitCodeAndName(name) !== null) return name;
  const isRight = ({ box }: Print) => box.x > name.box.x + name.box.width && isLevel(box, name.box);
  const [next] = prints.filter(isRight).sort((a, b) => a.box.x - b.box.x);
  const parts = next ? splitCodeAndName(next) : null;
  return parts?.name.text === '' ? { ...name, ...joinReadings([name, parts.code], ' ') } : name;
}

/** A labelled note of a guide about a drug: `용법 : 매일 저녁 피하주사`. */
const TOLD = /^\p{Script=Hangul}[\p{Script=Hangul}·/ ]{0,8}[:：]/u;

function isName(print: Print): boolean {
  return (
    !(TOLD.test(print.text) && !NAME_LABEL.test(print.text) && !CODE_LABEL.test(print.text)) &&
    (looksLikeDrugName(print.text) || (splitCodeAndName(print) !== null && !LABEL.test(print.text))) &&
    (print.text.match(/\p{L}/gu)?.length ?? 0) >= MIN_NAME_LETTERS &&
    !isRemarkLine(print.text) &&
    !PERSON.test(print.text) &&
    !TELEPHONE.test(print.text)
  );
}

/** In line heights: maximum distance of a name from the place of the others. */
const PLACE = { x: 1, y: 0.5 };

/**
 * All blocks of a guide have the same layout: a name that does not read like one, such as a device's, is in the others' place relative to
 * its dose.
 */
function nameAtPlace(dose: DoseLine, others: readonly Block[], prints: readonly Print[]): Print | null {
  const placed = others.flatMap(({ dose: { box }, name }) =>
    name ? { x: name.box.x - box.x, y: name.box.y - box.y } : [],
  );
  if (placed.length < MIN_PLACED) return null;
  const [x, y] = [dose.box.x + medianOf(placed.map((at) => at.x)), dose.box.y + medianOf(placed.map((at) => at.y))];
  const at = prints.find(
    ({ box, text }) =>
      Math.abs(box.x - x) < PLACE.x * box.height &&
      Math.abs(box.y - y) < PLACE.y * box.height &&
      /\p{L}{2}/u.test(text),
  );
  return at ? withCodeBeside(wholeLine(at, prints), prints) : null;
}

/** In line heights: the end of a long name is right below its start, in print of the same size. */
const SECOND_LINE = { gap: 0.8, indent: 1.5, size: 0.75 };

/** A name whose bracket closes in the next line continues there. */
function withSecondLine(name: Print, prints: readonly Print[]): Print {
  if (!endsInOpenBracket(name.text)) return name;
  const { x, y, height } = name.box;
  const next = prints.find(({ box }) => {
    const gap = box.y - y - height;
    return (
      gap > -0.5 * height &&
      gap < SECOND_LINE.gap * height &&
      Math.abs(box.x - x) < SECOND_LINE.indent * height &&
      Math.min(box.height, height) > SECOND_LINE.size * Math.max(box.height, height)
    );
  });
  const closes = next !== undefined && !endsInOpenBracket(name.text + next.text) && /^[^()]*\)/.test(next.text);
  return closes ? { ...name, ...joinPrint(name, next, '') } : name;
}

/** In line heights: closer prints of one line were cut by a supposed column border or, outside of tables, where the line bends. */
const CUT_GAP = 0.5;

function wholeLine(print: Print, prints: readonly Print[]): Print {
  const { y, height } = print.box;
  const level = prints
    .filter(({ box }) => overlap(y, y + height, box.y, box.y + box.height) > 0.5 * Math.max(height, box.height))
    .sort((a, b) => a.box.x - b.box.x);
  const at = level.indexOf(print);
  const isCut = (left: Print, right: Print) =>
    (left.cell !== right.cell || left.cell === null) &&
    Math.abs(right.box.x - left.box.x - left.box.width) < CUT_GAP * height;
  let [first, last] = [at, at];
  while (first > 0 && isCut(level[first - 1]!, level[first]!)) first--;
  while (last + 1 < level.length && isCut(level[last]!, level[last + 1]!)) last++;
  let whole = level[first]!;
  for (const next of level.slice(first + 1, last + 1)) whole = { ...whole, ...joinPrint(whole, next, '') };
  return whole;
}

/** The drug's purpose, in brackets behind its name: `[고지혈증약]`. */
const PURPOSE = /\s?\[[^[\]\d]{1,20}[약제]\]$/;

function withoutLabel(name: Reading): Reading {
  const end = PURPOSE.exec(name.text)?.index ?? name.text.length;
  return partOf(name, NAME_LABEL.exec(name.text)?.[0].length ?? 0, end);
}

function toTable(rows: readonly Block[]): ReadTable {
  const fields = COUNT_FIELDS.filter((field) => rows.some(({ dose }) => dose.values.has(field)));
  const blank = { text: '', confidence: 1 };
  const at = (row: number, column: number, box: Box, text: Reading, isNumber: boolean): ReadCell => {
    const isBlank = text.text === '';
    const numeral = isNumber && !isBlank ? text : null;
    return { row, column, rowSpan: 1, columnSpan: 1, box, blank: isBlank, text, numeral };
  };
  const box = hullOf(rows.map(({ dose }) => dose.box));
  const header = ['', '약품명', ...fields.map((field) => HEADERS[field])];
  const names = withoutListNumbers(rows.map(({ name }) => name && withoutLabel(name)));
  const body = rows.flatMap(({ dose, name: print }, index) => {
    const [name, place] = [names[index], print?.box ?? dose.box];
    const parts = name ? splitCodeAndName(name) : null;
    return [
      at(index + 1, 0, place, parts?.code ?? blank, true),
      at(index + 1, 1, place, parts?.name ?? name ?? blank, false),
      ...fields.map((field, n) => at(index + 1, n + 2, dose.box, dose.values.get(field) ?? blank, true)),
    ];
  });
  return {
    box,
    rowCount: rows.length + 1,
    columnCount: header.length,
    cells: [...header.map((text, column) => at(0, column, box, { text, confidence: 1 }, false)), ...body],
    bounded: true,
  };
}

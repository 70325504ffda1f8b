import { joinReadings, partOf } from '../reading/reading-parts.ts';
import type { Box, ReadCell, Reading, ReadTable } from '../reading/table-reader.ts';
import type { TableField, Template } from '../reading/template.ts';
import { splitCodeAndName } from './code-and-name.ts';
import { looksLikeDrugName } from './drug-names.ts';
import { matchHeader } from './header-words.ts';
import { centerY, hullOf, joinPrint, overlap, type Print } from './print.ts';

/** The pairs of one line, or of one that is wrapped: what each label announces, and the value behind it. */
interface DoseLine {
  readonly values: ReadonlyMap<TableField, Reading>;
  readonly box: Box;
  /** Whether it says its values in words, without labels. */
  readonly worded: boolean;
}

/** Pairs that make a dose: one alone is found in any text. */
const MIN_PAIRS = 2;
const FIELDS = ['quantity', 'timesPerDay', 'days', 'prescribedQty'] as const;
const HEADERS: Readonly<Record<(typeof FIELDS)[number], string>> = {
  quantity: '1회투약량',
  timesPerDay: '1일투여횟수',
  days: '총투약일수',
  prescribedQty: '총투약량',
};
/** In heights of a line: what stands further apart belongs to different blocks. */
const MAX_GAP = 4;
/** Names of people may end like those of injections and powders. */
const PERSON = /(?:^| )\p{Script=Hangul}{1,2}[주산]$/u;
/** What stands before a telephone number may be read as the end of a liquid's name. */
const TELEPHONE = /(?<!\d)\d{2,4}-\d{3,4}-\d{4}(?!\d)/;
/** Numbers behind other labels than a drug's are no codes: 교부번호: 80218808. */
const LABEL = /\p{L}\s?[:：]/u;
/** Sentences of advice name strengths, too. */
const SENTENCE = /[다요오]\.|마세요|하세요|십시오/;

/**
 * The drugs of a guide that has no grid: for each a block with its name on top and, somewhere below, its dose in one line of
 * labels and values. Null where there is no such line.
 */
export function guideTable(prints: readonly Print[], template: Template): ReadTable | null {
  const lines = levelsOf(prints)
    .flatMap((level) => doseLines(level, template))
    .sort((a, b) => a.box.y - b.box.y);
  const doses = joinWrapped(lines).filter(isDose);
  if (doses.length === 0) return null;
  const columns = columnsOf(doses);
  const parted = prints.flatMap((print) => partAtColumns(print, columns));
  return toTable(inReadingOrder(columns).map((dose) => ({ dose, name: nameAbove(dose, doses, parted) })));
}

/** Advice says how often at most, and a page's heading for how many days: neither says how much at a time. */
function isDose({ values, worded }: DoseLine): boolean {
  return values.size >= MIN_PAIRS && (!worded || values.has('quantity'));
}

/** In heights of a line: how far below its first line a dose goes on at most, and how far beside where that begins. */
const WRAPPED = { gap: 1, indent: 2 };

/** A dose goes on in the line right below it, with what its first line lacks. */
function joinWrapped(lines: readonly DoseLine[]): readonly DoseLine[] {
  const joined: DoseLine[] = [];
  for (const line of lines) {
    const { x, y, height } = line.box;
    const at = joined.findIndex(({ values, box, worded }) => {
      const gap = y - box.y - box.height;
      return (
        worded === line.worded &&
        gap > -0.5 * height &&
        gap < WRAPPED.gap * height &&
        Math.abs(x - box.x) < WRAPPED.indent * height &&
        [...line.values.keys()].every((field) => !values.has(field))
      );
    });
    const first = joined[at];
    if (first === undefined) joined.push(line);
    else
      joined[at] = {
        ...first,
        values: new Map([...first.values, ...line.values]),
        box: hullOf([first.box, line.box]),
      };
  }
  return joined;
}

/** Blocks stand in columns of their own, from left to right. */
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

/** In heights of a line: how far before the next column's blocks the blank is looked for that parts two names, at most. */
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
  if (start === undefined || !columns.some(([first]) => first!.box.x < x + height)) return [print];
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

/** A typical width, relative to a syllable. */
function letterWidth(letter: string): number {
  if (/\p{Script=Hangul}/u.test(letter)) return 1;
  return /[a-z\d]/i.test(letter) ? 0.6 : 0.4;
}

function widthOf(text: string): number {
  return Array.from(text, letterWidth).reduce((sum, each) => sum + each, 0);
}

/** Part of the height of a line's letters that a speck among them has at most. */
const SPECK = 0.5;

/** Prints that stand side by side, from left to right, as far as no wide blank parts them. */
function levelsOf(prints: readonly Print[]): readonly (readonly Print[])[] {
  const levels: Print[][] = [];
  for (const print of [...prints].sort((a, b) => a.box.x - b.box.x)) {
    const level = levels.find((each) => {
      // A speck between two words has the gap of the words, and may lie above or below their middle.
      const tallest = Math.max(...each.map(({ box }) => box.height));
      const { y, height } = each.findLast(({ box }) => box.height >= SPECK * tallest)!.box;
      const right = Math.max(...each.map(({ box }) => box.x + box.width));
      const shared = overlap(y, y + height, print.box.y, print.box.y + print.box.height);
      const gap = print.box.x - right;
      return shared > 0.5 * Math.min(height, print.box.height) && gap < MAX_GAP * Math.max(print.box.height, tallest);
    });
    if (level) level.push(print);
    else levels.push([print]);
  }
  return levels;
}

/** The doses of a level by their labels, or else in words. */
function doseLines(level: readonly Print[], template: Template): readonly DoseLine[] {
  const labelled = labelledDoses(level, template);
  if (labelled.some(isDose)) return labelled;
  const worded = wordedDoses(level);
  return worded.length > 0 ? worded : labelled;
}

/** The doses of a level, of two blocks where their first label comes again behind all of one. */
function labelledDoses(level: readonly Print[], template: Template): readonly DoseLine[] {
  const doses: DoseLine[] = [];
  let values = new Map<TableField, Reading>();
  let used: Print[] = [];
  let label = '';
  let labelled: Print[] = [];
  /** What a digit right behind its label was taken for: the edge of a label's box reads as one. */
  let glued: TableField | null = null;
  const finish = () => {
    if (values.size > 0) doses.push({ values, box: hullOf(used.map(({ box }) => box)), worded: false });
    [values, used] = [new Map(), []];
  };
  for (const print of level)
    for (const { token, from, to, isGlued } of tokensOf(print, template)) {
      const { text } = token;
      const part = lettersOf(print, from, to);
      const number = /^(\d[\d.,]*)\p{L}{0,3}$/u.exec(text);
      const kind = number && label !== '' ? matchHeader(label, template)?.kind : undefined;
      const field = FIELDS.find((each) => each === kind);
      if (glued !== null && number !== null && label === '' && text !== number[1]) {
        values.set(glued, partOf(token, 0, number[1]!.length));
        used.push(part);
      } else if (field !== undefined) {
        const start = (labelled[0] ?? print).box.x;
        const [first] = values.keys();
        if (field === first && used.every(({ box }) => box.x + box.width <= start)) finish();
        values.set(field, partOf(token, 0, number![1]!.length));
        used.push(...labelled, part);
        label = '';
        labelled = [];
        // What stands before the first label is no part of it.
      } else if (number === null && matchHeader(text, template) !== null) {
        label = text;
        labelled = [part];
      } else {
        label += text;
        labelled.push(part);
      }
      glued = isGlued && field !== undefined ? field : null;
    }
  finish();
  return doses;
}

/** A dose in words: 1회 1.5정 1일 3회 5일분. */
const WORDED: Readonly<Record<'quantity' | 'timesPerDay' | 'days', RegExp>> = {
  quantity: /(?:^|[\s,·/(])1\s?[회번]에?\s?(\d[\d.,]*)\s?(?!일\s?분)(?=\p{L})/dgu,
  timesPerDay: /(?:1\s?일|하루)에?\s?(\d)\s?[회번]/dg,
  days: /(\d{1,3})\s?일\s?분/dg,
};

/** The doses in words of a level, of two blocks where what the first begins with comes again. */
function wordedDoses(level: readonly Print[]): readonly DoseLine[] {
  const line = joinReadings(level, ' ');
  const places = Object.entries(WORDED)
    .flatMap(([field, pattern]) =>
      [...line.text.matchAll(pattern)].map(({ index, 0: { length }, indices }) => {
        return { field: field as keyof typeof WORDED, from: index, to: index + length, value: indices![1]! };
      }),
    )
    .sort((a, b) => a.from - b.from);
  const starts = places.flatMap(({ field }, index) => (field === places[0]!.field ? [index] : []));
  return starts.map((start, n) => wordedDose(line, level, places.slice(start, starts[n + 1])));
}

interface WordedValue {
  readonly field: keyof typeof WORDED;
  readonly from: number;
  readonly to: number;
  readonly value: readonly [number, number];
}

function wordedDose(line: Reading, level: readonly Print[], places: readonly WordedValue[]): DoseLine {
  const values = new Map(places.toReversed().map(({ field, value }) => [field, partOf(line, ...value)] as const));
  const [from, to] = [Math.min(...places.map((place) => place.from)), Math.max(...places.map((place) => place.to))];
  let end = -1;
  const boxes = level.flatMap((print) => {
    const start = end + 1;
    end = start + print.text.length;
    if (from >= end || to <= start) return [];
    return [lettersOf(print, Math.max(0, from - start), Math.min(print.text.length, to - start)).box];
  });
  return { values, box: hullOf(boxes), worded: true };
}

interface Token {
  readonly token: Reading;
  /** Where it begins and ends in what was read of its print. */
  readonly from: number;
  readonly to: number;
  /** Whether it is a number right behind its label. */
  readonly isGlued: boolean;
}

/** A print with the box of some of its letters: a name before a dose, or advice behind it, may stand in one line with that of the next column. */
function lettersOf(print: Print, from: number, to: number): Print {
  if (from === 0 && to === print.text.length) return print;
  const unit = print.box.width / widthOf(print.text);
  const x = print.box.x + unit * widthOf(print.text.slice(0, from));
  return { ...print, box: { ...print.box, x, width: unit * widthOf(print.text.slice(from, to)) } };
}

/** Letters between blanks, colons and strokes that part pairs; that of a fraction is none. */
const WORD = /(?:[^\s:：/]|(?<=\d)\/(?=\d))+/g;

/** Labels and values of a print, also where no blank parts them: 총투약일수14, 2일수, 1.001일 투여횟수. */
function tokensOf(print: Print, template: Template): readonly Token[] {
  const words = [...print.text.matchAll(WORD)];
  return words.flatMap(({ 0: word, index }, n) => {
    const value = /(?<=\p{Script=Hangul})\d[\d.,]*$/u.exec(word)?.index ?? word.length;
    const label = labelBehindNumber(word.slice(0, value), words[n + 1]?.[0] ?? '', template);
    const ends = [...new Set([label, value, word.length])].filter((end) => end > 0);
    return ends.map((end, i) => {
      const [from, to] = [index + (ends[i - 1] ?? 0), index + end];
      return { token: partOf(print, from, to), from, to, isGlued: value > 0 && from === index + value };
    });
  });
}

/** Surer than a label by itself has to be: units of days look like one. */
const GLUED_SCORE = 0.95;

/** Where the label begins that stands right behind a number, whole or up to the next blank; 0 where none does. */
function labelBehindNumber(word: string, next: string, template: Template): number {
  const digits = /^\d[\d.,]*(?=\p{L})/u.exec(word)?.[0].length ?? 0;
  let best = { at: 0, score: GLUED_SCORE };
  for (let at = 1; at <= digits; at++)
    for (const label of [word.slice(at), word.slice(at) + next]) {
      const score = matchHeader(label, template)?.score ?? 0;
      if (score >= best.score && /^\d[\d.,]*$/.test(word.slice(0, at))) best = { at, score };
    }
  return best.at;
}

/** A barcode above the first block reads as letters and digits, but with less confidence than print does. */
const UNREAD = 0.05;
/** Letters of the shortest name: titles are read as words of two that end like one. */
const MIN_NAME_LETTERS = 3;

/** The highest line of the block that reads like a drug's name, surely read or not: below the dose before, not beside the block. */
function nameAbove(dose: DoseLine, doses: readonly DoseLine[], prints: readonly Print[]): Print | null {
  const beside = (box: Box) => overlap(dose.box.x, dose.box.x + dose.box.width, box.x, box.x + box.width) > 0;
  const before = doses.findLast(({ box }) => box.y + box.height <= dose.box.y && beside(box));
  const from = before ? before.box.y + before.box.height : Number.NEGATIVE_INFINITY;
  const above = prints
    .filter(({ box }) => beside(box) && box.y > from && centerY(box) < dose.box.y)
    .sort((a, b) => a.box.y - b.box.y);
  const isName = (print: Print) =>
    (looksLikeDrugName(print.text) || (splitCodeAndName(print) !== null && !LABEL.test(print.text))) &&
    (print.text.match(/\p{L}/gu)?.length ?? 0) >= MIN_NAME_LETTERS &&
    !SENTENCE.test(print.text) &&
    !PERSON.test(print.text) &&
    !TELEPHONE.test(print.text);
  const lines = above.map((print) => wholeLine(print, above));
  const names = lines.filter(isName);
  const name = names.find(({ confidence }) => confidence >= UNREAD) ?? names[0] ?? null;
  return name && withSecondLine(name, lines);
}

/** In heights of a line: the end of a long name stands right below its beginning, and is printed as large. */
const SECOND_LINE = { gap: 0.8, indent: 1.5, size: 0.75 };

/** A name of which a bracket is closed in the next line goes on there. */
function withSecondLine(name: Print, lines: readonly Print[]): Print {
  if (!opensBracket(name.text)) return name;
  const { x, y, height } = name.box;
  const next = lines.find(({ box }) => {
    const gap = box.y - y - height;
    return (
      gap > -0.5 * height &&
      gap < SECOND_LINE.gap * height &&
      Math.abs(box.x - x) < SECOND_LINE.indent * height &&
      Math.min(box.height, height) > SECOND_LINE.size * Math.max(box.height, height)
    );
  });
  const closes = next !== undefined && !opensBracket(name.text + next.text) && /^[^()]*\)/.test(next.text);
  return closes ? { ...name, ...joinPrint(name, next, '') } : name;
}

function opensBracket(text: string): boolean {
  return text.lastIndexOf('(') > text.lastIndexOf(')');
}

/**
 * In heights of a line: prints of one line that stand no further apart were cut by what was taken for a column's border, or outside of tables
 * where the line bends.
 */
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

function toTable(rows: readonly { readonly dose: DoseLine; readonly name: Print | null }[]): ReadTable {
  const fields = FIELDS.filter((field) => rows.some(({ dose }) => dose.values.has(field)));
  const blank = { text: '', confidence: 1 };
  const at = (row: number, column: number, box: Box, text: Reading, isNumber: boolean): ReadCell => {
    const isBlank = text.text === '';
    const numeral = isNumber && !isBlank ? text : null;
    return { row, column, rowSpan: 1, columnSpan: 1, box, blank: isBlank, text, numeral };
  };
  const box = hullOf(rows.map(({ dose }) => dose.box));
  const header = ['', '약품명', ...fields.map((field) => HEADERS[field])];
  const body = rows.flatMap(({ dose, name }, index) => {
    const parts = name && splitCodeAndName(name);
    return [
      at(index + 1, 0, name?.box ?? dose.box, parts?.code ?? blank, true),
      at(index + 1, 1, name?.box ?? dose.box, parts?.name ?? name ?? blank, false),
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

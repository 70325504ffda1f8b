import type { DrugLine, DrugTable, Field } from '../drug-line.ts';
import { range } from '../range.ts';
import type { ReadCell, ReadTable } from '../reading/table-reader.ts';
import type { TableField, Template } from '../reading/template.ts';
import { NUMERIC_FIELDS, type NumericField } from '../sheet-arithmetic.ts';
import { splitCodeAndName } from './codes/code-and-name.ts';
import { withAmountByTotal } from './columns/amount-by-total.ts';
import { assignColumns, type ColumnAssignment, inferredFields, type KnownPrices } from './columns/assign-columns.ts';
import {
  type ColumnEvidence,
  gatherEvidence,
  hasCompanyPrefix,
  isCodeLike,
  withoutEchoes,
  withoutSecondary,
} from './columns/column-evidence.ts';
import { withUnits } from './columns/column-units.ts';
import { dosesOnBorder } from './columns/doses-in-names.ts';
import { joinCodeCells } from './columns/join-code-cells.ts';
import { joinPartedColumns } from './columns/join-parted-columns.ts';
import { splitCodeColumn } from './columns/split-code-column.ts';
import { splitDoseColumn } from './columns/split-dose-column.ts';
import { splitNumberColumns } from './columns/split-number-column.ts';
import { splitStackedDose } from './columns/split-stacked-dose.ts';
import { splitTallCells } from './columns/split-tall-cells.ts';
import { splitTimesOfDay } from './columns/split-times-of-day.ts';
import { besideDailyDose, dailyColumnOf, withoutDailyDose } from './doses/daily-dose.ts';
import { asThird, withZero } from './doses/dose-thirds.ts';
import { Grid } from './grid.ts';
import { withDisplacedHeaders } from './headers/displaced-headers.ts';
import { isLine, isNote, isRemark, isSpeck, isStray, isTitle, showsWord } from './lists/line-rows.ts';
import { isListEnd } from './lists/list-marks.ts';
import { withoutListNumbers } from './lists/list-numbers.ts';
import { withoutPartEnds } from './lists/part-ends.ts';
import { withoutRemarkLines } from './lists/remark-lines.ts';
import { headerRows, isBodyLike, isRepeatedHeader, isSection, totalKind } from './lists/row-kinds.ts';
import { withoutStrayMarks } from './names/drug-names.ts';
import { endsBeforeOthers, fillsColumn, goesOnIn, nameEndOf } from './names/name-end.ts';
import { withPrintedSigns } from './names/name-signs.ts';
import { withoutNoiseLines } from './names/noise-lines.ts';
import {
  codeField,
  type NumberStyle,
  numberField,
  numeralOf,
  ofFirstColumn,
  parseNumeral,
  readingOf,
  textField,
  withoutSign,
} from './numbers/cell-values.ts';
import { withLastZero } from './numbers/digit-look-alikes.ts';
import {
  fixedPlacesOf,
  hasTooManyPlaces,
  inFixedPlaces,
  isThousands,
  withoutPoint,
  withSurePoint,
} from './numbers/fixed-places.ts';
import { areMinusButtons } from './numbers/minus-buttons.ts';
import { centredNumbers, shiftedNumbers, strayNumbers, tallNumbers } from './numbers/number-places.ts';
import { doseStyle, quantityStyles, writtenStyle } from './numbers/quantity-style.ts';
import { areSeveral, doubted, hasStrayDigits, isSplitBetween, withoutUnitOnRule } from './numbers/split-numbers.ts';
import { hasOddPlace, withTabletUnits } from './numbers/unit-as-digit.ts';

export interface InterpretedTable extends DrugTable {
  readonly evidence: readonly ColumnEvidence[];
}

/** A total that is read less surely than this is no ground to doubt the lines. */
const MIN_TOTAL_CONFIDENCE = 0.8;

/** Numbers that are still one without their first or last digit, and that nothing on a prescription checks. */
const COUNTS = ['quantity', 'timesPerDay', 'days'] as const;

/** Columns, lines and totals of one table, whether it holds drugs or not. */
export function interpretTable(table: ReadTable, template: Template, knownPrices: KnownPrices): InterpretedTable {
  const grid = new Grid(withColumnsApart(table, template));
  const header = headerRows(grid, template);
  const firstBodyRow = (header.at(-1) ?? firstInkedBodyRow(grid) - 1) + 1;
  const bodyRows = range(firstBodyRow, grid.rowCount);
  const lineRows = bodyRows.filter((row) => isBodyLike(grid.inked(row)) && totalKind(grid.inked(row)) === null);
  const gathered = range(0, grid.columnCount).map((column) => gatherEvidence(grid, column, header, lineRows, template));
  const announced = withUnits(withDisplacedHeaders(gathered, grid, header, lineRows), grid, lineRows);
  const priced = withAmountByTotal(announced, grid, bodyRows, lineRows);
  const evidence = withoutEchoes(withoutDailyDose(withoutSecondary(priced)));
  const columns = assignColumns(evidence, template, knownPrices);
  const readLine = lineReader(grid, columns, lineRows, dailyColumnOf(evidence, columns));

  const lines: DrugLine[] = [];
  const unreadRows: number[] = [];
  const totals = new Totals();
  let isOver = false;
  const lastRow = (shows: (cell: ReadCell) => boolean) =>
    bodyRows.findLast((row) => grid.inked(row).some(shows)) ?? grid.rowCount;
  const lastCoded = lastRow(isCodeLike);
  const lastNamed = lastRow(
    (cell) => isCodeLike(cell) || hasCompanyPrefix(splitCodeAndName(cell.text)?.code.text ?? ''),
  );
  for (const row of bodyRows) {
    const cells = grid.inked(row);
    if (cells.length === 0) continue;
    isOver ||= cells.some(({ text }) => isListEnd(text.text));
    const kind = totalKind(cells) ?? (isUnlabelledTotal(cells, grid, columns, lines) ? 'grand' : null);
    if (kind === 'part') continue;
    if (kind) totals.add(kind, cells, grid, columns);
    else if (isRepeatedHeader(cells, template)) continue;
    else {
      const line = readLine(row);
      const isBelow = row > lastCoded || (row > lastNamed && !showsWord(line));
      if ((isBelow && isStray(cells, line)) || isTitle(line) || (isOver && isRemark(line))) continue;
      const isNoted = isNote(cells, columns);
      if (isLine(line, isNoted)) lines.push(line);
      else if (!isSection(cells, grid) && !isSpeck(cells, columns, isBelow) && !isNoted) unreadRows.push(row);
    }
  }
  return {
    lines,
    columns: new Set(columns.keys()),
    inferredColumns: inferredFields(columns, evidence),
    printedTotals: totals.printed(),
    unreadRows,
    bounded: table.bounded,
    evidence,
  };
}

/** The table with what one column of it holds of several in columns of their own, and what several hold of one in one. */
function withColumnsApart(table: ReadTable, template: Template): ReadTable {
  const named = splitCodeColumn(
    joinCodeCells(splitTallCells(withoutRemarkLines(withoutNoiseLines(withoutPartEnds(table))))),
  );
  const counted = splitDoseColumn(splitTimesOfDay(splitStackedDose(splitNumberColumns(named))), template);
  return joinPartedColumns(counted, template);
}

/** Whether several lines of a cell are numbers: read as one, they are none of the cell's. */
function hasSeveralLines({ lines = [] }: ReadCell): boolean {
  return areSeveral(lines.filter(({ text }) => text !== ''));
}

/** Rows of a column that is none, at most, by their share. */
const MAX_SPARSE = 0.3;

function lineReader(
  grid: Grid,
  columns: ColumnAssignment,
  lineRows: readonly number[],
  dailyColumn: number | null,
): (row: number) => DrugLine {
  // Returns and corrections have amounts; a dose that is only prescribed is never below zero.
  const mayBeNegative = columns.has('unitPrice') || columns.has('totalAmount') || columns.has('prescribedQty');
  const onBorder = mayBeNegative ? null : dosesOnBorder(grid, columns, lineRows);
  const cellOf = (row: number, field: TableField): ReadCell | undefined => {
    const column = columns.get(field);
    if (column === undefined) return undefined;
    const moved = onBorder?.get(row);
    return moved && (field === 'drugName' || field === 'quantity') ? moved[field] : grid.at(row, column);
  };
  const doses = lineRows.map((row) => cellOf(row, 'quantity'));
  const inTablets = mayBeNegative ? null : withTabletUnits(doses);
  const places = fixedPlacesOf(doses);
  const pointless = withoutPoint(doses);
  const strays = strayNumbers(
    new Map(
      NUMERIC_FIELDS.filter((field) => columns.has(field)).map((field) => [
        field,
        lineRows.map((row) => cellOf(row, field)),
      ]),
    ),
  );
  const numeralCellOf = (row: number, field: NumericField): ReadCell | undefined => {
    const own = cellOf(row, field);
    if (!own) return own;
    const cell = ofFirstColumn(field === 'quantity' ? (inTablets?.get(own) ?? withoutUnitOnRule(own)) : own);
    if (field === 'days' || field === 'timesPerDay') return withLastZero(cell);
    if (field !== 'quantity') return cell;
    return withSurePoint(places === null ? cell : inFixedPlaces(cell, places), places);
  };
  // Elsewhere arithmetic tells a number that lacks a digit.
  const alone = mayBeNegative ? [] : COUNTS;
  const counts = alone.map((field) => lineRows.map((row) => cellOf(row, field)));
  const among = (tell: typeof tallNumbers) => new Set(counts.flatMap((cells) => [...tell(cells)]));
  const [shifted, centred, tall] = [among(shiftedNumbers), among(centredNumbers), among(tallNumbers)];
  const numberOf = (row: number, field: NumericField, style: NumberStyle): Field<number> => {
    const cell = cellOf(row, field);
    if (!cell) return numberField(cell, style);
    const before = cell.column > 0 ? grid.at(row, cell.column - 1) : undefined;
    const next = cell.column + cell.columnSpan;
    const after = next < grid.columnCount ? grid.at(row, next) : undefined;
    const isSplit = isSplitBetween(before, cell) || isSplitBetween(cell, after);
    const shown = numeralCellOf(row, field)!;
    const isTwo =
      COUNTS.some((count) => count === field) &&
      ((cell.lines ?? []).some(({ pieces }) => areSeveral(pieces ?? [])) || hasStrayDigits(cell, numeralOf(shown)));
    const isUnlikely =
      field === 'quantity' &&
      (hasTooManyPlaces(shown) || hasOddPlace(numeralOf(shown)) || (!mayBeNegative && isThousands(shown, style)));
    const read = numberField(isSplit || isTwo || pointless.has(shown) || isUnlikely ? doubted(shown) : shown, style);
    const number = mayBeNegative ? read : withoutSign(read);
    if (number.value === null) return number;
    if (hasSeveralLines(cell)) return { ...number, doubt: 'joined' };
    if (strays.has(cell)) return { ...number, doubt: 'beside' };
    if (tall.has(cell)) return { ...number, doubt: 'crossed' };
    // A stroke may hide digits, but not where the rest would stand otherwise.
    if (number.doubt === 'crossed' && number.confidence >= SURELY_READ && centred.has(cell))
      return withoutDoubt(number);
    return shifted.has(cell) ? { ...number, doubt: 'shifted' } : number;
  };
  const numeral = (row: number, field: NumericField) => {
    const cell = numeralCellOf(row, field);
    return cell && !cell.blank ? numeralOf(cell) : '';
  };
  // Where names go on below, a full line may be the first of two.
  const wraps = lineRows.some((row) => (cellOf(row, 'drugName')?.lines?.length ?? 0) > 1);
  // Programs print 1.000 a day, and a thousand times a day is none.
  const countStyle = (field: NumericField): NumberStyle =>
    writtenStyle(lineRows.map((row) => numeral(row, field))) === 'decimal' ? 'decimal' : 'whole';
  const byProducts = quantityStyles(
    lineRows.map((row) => Object.fromEntries(NUMERIC_FIELDS.map((field) => [field, numeral(row, field)]))),
  );
  const { prescribedQty } = byProducts;
  const quantity = mayBeNegative ? byProducts.quantity : doseStyle(lineRows.map((row) => numeral(row, 'quantity')));
  const fields = new Set(columns.values());
  // A column that few rows have is none: a border was seen where a long name ends.
  const isSparse = (column: number) =>
    lineRows.filter((row) => grid.at(row, column)?.blank === false).length <= MAX_SPARSE * lineRows.length;
  const besideName = (row: number, cell: ReadCell | undefined): ReadCell | undefined => {
    const next = cell ? cell.column + cell.columnSpan : grid.columnCount;
    return next < grid.columnCount && !fields.has(next) && isSparse(next) ? grid.at(row, next) : undefined;
  };
  const names = withoutListNumbers(lineRows.map((row) => cellOf(row, 'drugName')?.text ?? null));
  const unnumbered = new Map(lineRows.map((row, index) => [row, names[index]] as const));
  const nameCellOf = (row: number): ReadCell | undefined => {
    const cell = cellOf(row, 'drugName');
    return cell && { ...cell, text: unnumbered.get(row) ?? cell.text };
  };
  const nameOf = (row: number): Pick<DrugLine, 'drugName' | 'nameFillsColumn' | 'nameHasRoom' | 'nameEnd'> => {
    const cell = nameCellOf(row);
    const printed = withPrintedSigns(textField(cell));
    const drugName = withoutStrayMarks(printed);
    const isMarked = printed.value?.endsWith(drugName.value ?? '') === false || goesOnIn(cell, besideName(row, cell));
    const nameEnd = wraps ? null : nameEndOf(cell, isMarked);
    return {
      drugName,
      nameFillsColumn: !wraps && fillsColumn(cell),
      nameHasRoom: endsBeforeOthers(cell),
      ...(nameEnd && { nameEnd }),
    };
  };
  const doseOf = (row: number): Field<number> => {
    const read = numberOf(row, 'quantity', quantity);
    const dose = asThird(mayBeNegative ? read : withZero(read));
    if (dailyColumn === null) return dose;
    const daily = numberField(grid.at(row, dailyColumn), quantity);
    return besideDailyDose(dose, daily, numberOf(row, 'timesPerDay', countStyle('timesPerDay')));
  };
  const numerals = (field: NumericField) => lineRows.map((row) => numeral(row, field));
  const amounts = numerals('totalAmount');
  const buttons = new Set(
    (['quantity', 'prescribedQty'] as const).filter((field) => areMinusButtons(numerals(field), amounts)),
  );
  const countOf = (field: 'quantity' | 'prescribedQty', count: Field<number>) =>
    buttons.has(field) ? withoutSign(count) : count;
  return (row) => ({
    drugCode: codeField(cellOf(row, 'drugCode')),
    ...nameOf(row),
    quantity: countOf('quantity', doseOf(row)),
    timesPerDay: numberOf(row, 'timesPerDay', countStyle('timesPerDay')),
    days: numberOf(row, 'days', countStyle('days')),
    prescribedQty: countOf('prescribedQty', numberOf(row, 'prescribedQty', prescribedQty)),
    unitPrice: numberOf(row, 'unitPrice', 'whole'),
    totalAmount: numberOf(row, 'totalAmount', 'whole'),
    row,
  });
}

/** A number below a stroke that is read less surely than this may be another one. */
const SURELY_READ = 0.99;

function withoutDoubt({ value, text, confidence }: Field<number>): Field<number> {
  return { value, text, confidence };
}

/** A last row without code whose amount is the sum of those above, though its label could not be read. */
function isUnlabelledTotal(
  cells: readonly ReadCell[],
  grid: Grid,
  columns: ColumnAssignment,
  lines: readonly DrugLine[],
): boolean {
  const codeColumn = columns.get('drugCode');
  const amountColumn = columns.get('totalAmount');
  const row = cells[0]!.row;
  if (lines.length < 2 || amountColumn === undefined) return false;
  const code = codeColumn === undefined ? undefined : grid.at(row, codeColumn);
  if (code && !code.blank && code.columnSpan === 1 && /\d{6}/.test(code.text.text)) return false;
  const amount = numberField(grid.at(row, amountColumn), 'whole').value;
  const sum = lines.reduce((total, line) => total + (line.totalAmount.value ?? 0), 0);
  return amount !== null && amount === sum;
}

class Totals {
  #grandAmount: number | null = null;
  #subAmount: number | null = null;
  #lineCount: number | null = null;

  add(kind: 'grand' | 'sub', cells: readonly ReadCell[], grid: Grid, columns: ColumnAssignment): void {
    const amount = this.#amountOf(cells, grid, columns.get('totalAmount'));
    if (kind === 'grand') this.#grandAmount ??= amount;
    else if (amount !== null) this.#subAmount = (this.#subAmount ?? 0) + amount;
    for (const { text } of cells) {
      const count = /(?<!\d)(\d+)\s*(?:건|품목|종|개\s*품목)/.exec(text.text)?.[1];
      if (count !== undefined && text.confidence >= MIN_TOTAL_CONFIDENCE) this.#lineCount = Number(count);
    }
  }

  printed(): DrugTable['printedTotals'] {
    return { totalAmount: this.#grandAmount ?? this.#subAmount, lineCount: this.#lineCount };
  }

  /** From the amount's own column, else from the row's last number: a merged footer keeps no columns. */
  #amountOf(cells: readonly ReadCell[], grid: Grid, amountColumn: number | undefined): number | null {
    if (amountColumn === undefined) return null;
    const own = grid.covering(cells[0]!.row, amountColumn);
    const candidates = [own, ...cells.slice().reverse()];
    for (const cell of candidates) {
      if (!cell || cell.blank) continue;
      const numeral = numeralOf(cell) || lastNumeral(cell.text.text);
      const amount = parseNumeral(numeral, 'whole');
      if (amount) return amount.confidence * readingOf(cell).confidence >= MIN_TOTAL_CONFIDENCE ? amount.value : null;
    }
    return null;
  }
}

function firstInkedBodyRow(grid: Grid): number {
  for (let row = 0; row < grid.rowCount; row++) if (isBodyLike(grid.inked(row))) return row;
  return 0;
}

/** The digits and separators that a text ends with, before a 원 perhaps; empty where it ends otherwise. */
function lastNumeral(text: string): string {
  const bare = text.trimEnd().replace(/원$/, '').trimEnd();
  return /(?<![\d,.])[\d,.]+$/.exec(bare)?.[0].replace(/^[,.]+/, '') ?? '';
}

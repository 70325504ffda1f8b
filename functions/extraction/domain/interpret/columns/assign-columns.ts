import type { KnownDrugs } from '../../master/known-drugs.ts';
import type { TableField, Template } from '../../reading/template.ts';
import { dosageHolds, NUMERIC_FIELDS, type NumericField, WHOLE_FIELDS } from '../../sheet-arithmetic.ts';
import { COUNT_FIELDS } from '../headers/column-kinds.ts';
import { ColumnArithmetic, countsByTimes, type Support } from './column-arithmetic.ts';
import { announcedField, type ColumnEvidence, MIN_NUMERIC_SHARE } from './column-evidence.ts';

export type ColumnAssignment = ReadonlyMap<TableField, number>;

/** The fields that columns are returned as: the times of an itemised bill are its quantity. */
export function returnedField(field: TableField, assignment: ColumnAssignment): TableField {
  return field === 'timesPerDay' && countsByTimes(assignment) ? 'quantity' : field;
}

type PriceShares = ReadonlyMap<ColumnEvidence, number>;

/** Fields that their columns hold by the evidence of values alone: no header word says so. */
export function inferredFields(
  assignment: ColumnAssignment,
  columns: readonly ColumnEvidence[],
): ReadonlySet<TableField> {
  const announced = (field: TableField, index: number) => {
    const column = columns.find(({ column }) => column === index);
    if (column?.header?.kind !== field || isAnnouncedTwice(column, columns)) return false;
    if (field === 'quantity' && column.header.secondary && isTakenOften(assignment, columns)) return false;
    const isSure = !column.header.secondary && isClear(column);
    return isSure || !columns.some((other) => isUnannounced(other, assignment) || isHeaderless(other, assignment));
  };
  const inferred = [...assignment].filter(([field, index]) => !announced(field, index));
  const byOrder = provenByOrder(assignment, columns);
  return new Set(inferred.map(([field]) => field).filter((field) => field !== byOrder));
}

/** Whether a column was taken for one of the counts, which resemble each other, without a header. */
function isHeaderless({ header, column }: ColumnEvidence, assignment: ColumnAssignment): boolean {
  return header === null && COUNT_FIELDS.some((field) => assignment.get(field) === column);
}

/** Whether some drug is taken more than once a day: the daily dose, 1일투약량, then differs from the single dose, which may be printed too. */
function isTakenOften(assignment: ColumnAssignment, columns: readonly ColumnEvidence[]): boolean {
  const times = columns.find(({ column }) => column === assignment.get('timesPerDay'));
  return times?.whole.some((count) => count !== null && count > 1) ?? false;
}

/**
 * Whether a column's numbers belong to no field yet, and its header was unread, or read as another column's: next to a daily dose perhaps
 * the single dose, next to `필수` (일수, or 횟수?) perhaps the days.
 */
function isUnannounced(column: ColumnEvidence, assignment: ColumnAssignment): boolean {
  const { numericShare, codeShare, isSerial } = column;
  if ([...assignment.values()].includes(column.column)) return false;
  if (numericShare < MIN_NUMERIC_SHARE || codeShare >= 0.4 || isSerial) return false;
  const field = announcedField(column);
  return column.header === null || (field !== null && assignment.has(field));
}

/** An unread header resembles its field this much at least, and the total of the same place less. */
const MIN_RESEMBLANCE = 0.4;

/**
 * The one dose column without a legible header, if the two others are announced, the order is the usual one, and the rest of its header
 * resembles its own word more than that of the total.
 */
function provenByOrder(assignment: ColumnAssignment, columns: readonly ColumnEvidence[]): TableField | null {
  const dosed = DOSE_COLUMNS.map((field) => columns.find(({ column }) => column === assignment.get(field)));
  const isOrdered = dosed.every((column, i) => column && (i === 0 || column.column > (dosed[i - 1]?.column ?? -1)));
  const open = DOSE_COLUMNS.filter((field, i) => dosed[i]?.header?.kind !== field);
  if (!isOrdered || open.length !== 1 || assignment.has('prescribedQty')) return null;
  const hints = dosed[DOSE_COLUMNS.indexOf(open[0]!)]!.hints;
  const own = hints.get(open[0]!) ?? 0;
  return own >= MIN_RESEMBLANCE && own > (hints.get('prescribedQty') ?? 0) ? open[0]! : null;
}

/** Weights of the evidence, in one unit: a clear header outweighs statistics, and arithmetic outweighs a misread header. */
const HEADER_WEIGHT = 4;
const ARITHMETIC_WEIGHT = 5;
/** Half a header decides between fields that satisfy the arithmetic alike (수량 and 총수량); alone it proves none. */
const HINT_WEIGHT = 1;
const DISORDER_PENALTY = 0.1;
/** A numeric field that neither a header nor arithmetic supports is left out: no guess. */
const UNSUPPORTED_PENALTY = 0.5;
/** Small: what numbers look like tells fields apart only where nothing better does. */
const PLAUSIBILITY_WEIGHT = 0.4;
const MIN_PLAUSIBLE_SHARE = 0.5;
const CLEAR_HEADER = 0.84;
/** A column with the list's prices of its rows' codes is the price column, under any header. */
const PRICE_WEIGHT = 4;
const MIN_PRICED_ROWS = 2;
/** Fewer prices than this are numbers that are prices by chance. */
const MIN_PRICED_SHARE = 0.3;
const MAX_FREE_COLUMNS = 8;
const DOSE_COLUMNS = ['quantity', 'timesPerDay', 'days'] as const;
/** Rows of a column whose header was not read that hold ink. */
const MIN_INK_SHARE = 0.3;

/**
 * Decides which column is which field: by header words, by what the cells look like, and by arithmetic (total × price =
 * amount finds three columns without any header).
 */
export function assignColumns(
  columns: readonly ColumnEvidence[],
  template: Template,
  known: KnownDrugs,
): ColumnAssignment {
  const assignment = new Map<TableField, number>();
  const code = pickCode(columns);
  if (code) assignment.set('drugCode', code.column);
  const name = pickName(
    columns.filter((column) => column !== code),
    code,
  );
  if (name) assignment.set('drugName', name.column);
  const numeric = columns.filter((column) => column !== code && column !== name && mayBeNumeric(column, name));
  const found = assignNumeric(numeric, priceShares(numeric, code, known));
  const isOpen = found.size < numeric.length || isContradicted(found, numeric);
  const ordered = isOpen ? (byDailyDose(numeric) ?? byDoseOrder(numeric)) : null;
  for (const [field, column] of ordered ?? found) assignment.set(field, column);
  return assignment.size > 2 ? assignment : (byTemplateOrder(columns, numeric, assignment, template) ?? assignment);
}

function pickCode(columns: readonly ColumnEvidence[]): ColumnEvidence | null {
  return best(columns, (column) => {
    const field = announcedField(column);
    const announced = field === 'drugCode' ? column.header!.score : 0;
    // A name is not a code: a header that announces both, 처방의약품의 명칭 및 코드, heads separate columns of codes and names.
    if (field !== 'drugCode' && field !== null && isClear(column) && !(field === 'drugName' && isOfCodes(column)))
      return 0;
    // A stray code alone in its column is less than a column of them.
    return column.codeShare >= 0.4 || announced >= CLEAR_HEADER
      ? column.codeShare * column.inkShare * 2 + announced
      : 0;
  });
}

const MIN_CODES_ALONE = 0.8;

function isOfCodes({ codeShare }: ColumnEvidence): boolean {
  return codeShare >= MIN_CODES_ALONE;
}

/** Whether a header for codes is over the words right behind them, as when all headers are offset from their columns. */
function isOfCodesBefore(column: ColumnEvidence, code: ColumnEvidence | null): boolean {
  const isOver = announcedField(column) === 'drugCode' && column.codeShare === 0;
  return isOver && code !== null && code.header === null && column.column === code.column + 1;
}

/** Without a header, text right behind the codes is more likely their name than text further on. */
const BEHIND_CODE = 0.5;

function pickName(columns: readonly ColumnEvidence[], code: ColumnEvidence | null): ColumnEvidence | null {
  return best(columns, (column) => {
    const field = announcedField(column);
    if (field === 'drugName') return 2 * column.header!.score + column.widthShare;
    if (isClear(column) && !isOfCodesBefore(column, code)) return 0;
    if (column.numericShare >= 0.4 || column.inkShare <= 0.4) return 0;
    const behind = code !== null && column.column === code.column + 1 ? BEHIND_CODE : 0;
    return 1 - column.numericShare + column.widthShare * 2 + behind;
  });
}

function mayBeNumeric(column: ColumnEvidence, name: ColumnEvidence | null): boolean {
  const field = announcedField(column);
  if (column.header?.kind === 'other' && isClear(column)) return false;
  if (field !== null && isClear(column)) return field !== 'drugCode' && field !== 'drugName';
  // A mark or two of a pen read as digits make no column.
  if (column.inkShare < MIN_INK_SHARE) return false;
  // Serial numbers precede names; behind names, the times a day of a few rows may rise by one.
  const isSerial = column.isSerial && column.column < (name?.column ?? Number.POSITIVE_INFINITY);
  return column.numericShare >= MIN_NUMERIC_SHARE && !isSerial && column.codeShare < 0.4;
}

interface Choice {
  readonly column: ColumnEvidence;
  readonly fields: readonly (NumericField | null)[];
}

/** A header that is read almost as its word is written: of a word of two syllables no letter is wrong. */
function isClear({ header }: ColumnEvidence): boolean {
  return header !== null && header.score >= CLEAR_HEADER;
}

/** Tries every way to give the numeric columns to the numeric fields. */
function assignNumeric(columns: readonly ColumnEvidence[], prices: PriceShares): ReadonlyMap<NumericField, number> {
  const choices = limitChoices(columns);
  const chosen = new Map<NumericField, ColumnEvidence>();
  const arithmetic = new ColumnArithmetic();
  let bestScore = Number.NEGATIVE_INFINITY;
  let bestChoice = new Map<NumericField, number>();

  const visit = (index: number, unary: number): void => {
    const choice = choices[index];
    if (!choice) {
      const support = arithmetic.supportOf(chosen);
      const unsupported = [...chosen].filter(
        ([field, { header }]) => header?.kind !== field && !support.bound.has(field),
      );
      const score =
        unary +
        hinted(chosen, support) * HINT_WEIGHT +
        support.score * ARITHMETIC_WEIGHT -
        disorder(chosen) * DISORDER_PENALTY -
        unsupported.length * UNSUPPORTED_PENALTY;
      if (score > bestScore) {
        bestScore = score;
        bestChoice = new Map([...chosen].map(([field, { column }]) => [field, column]));
      }
      return;
    }
    for (const field of choice.fields) {
      if (field === null) visit(index + 1, unary);
      else if (!chosen.has(field)) {
        chosen.set(field, choice.column);
        const price = field === 'unitPrice' ? (prices.get(choice.column) ?? 0) * PRICE_WEIGHT : 0;
        visit(index + 1, unary + unaryScore(choice.column, field) + price);
        chosen.delete(field);
      }
    }
  };
  visit(0, 0);
  return bestChoice;
}

/** Share of a column's rows that show a known price of their code. */
function priceShares(columns: readonly ColumnEvidence[], code: ColumnEvidence | null, known: KnownDrugs): PriceShares {
  const prices = (code?.codes ?? []).map((printed) => (printed === null ? [] : known.pricesOf(printed)));
  const priced = prices.filter((each) => each.length > 0).length;
  const shareOf = ({ whole }: ColumnEvidence) => {
    const share = prices.filter((each, row) => each.includes(whole[row] ?? -1)).length / priced;
    return share < MIN_PRICED_SHARE ? 0 : share;
  };
  return new Map(priced < MIN_PRICED_ROWS ? [] : columns.map((column) => [column, shareOf(column)]));
}

/** A clearly announced column keeps its field, so that only the others multiply the ways to try. */
function limitChoices(columns: readonly ColumnEvidence[]): readonly Choice[] {
  const choices = columns.map((column): Choice => {
    const field = announcedField(column) as NumericField | null;
    const clear = field !== null && isClear(column) && !isAnnouncedTwice(column, columns);
    // A header over an empty column may have slipped off its numbers: arithmetic may find them next to it.
    if (clear) return { column, fields: column.inkShare > 0 ? [field] : [field, null] };
    const likely = NUMERIC_FIELDS.filter(
      (each) => each === field || plausibleShare(column, each) >= MIN_PLAUSIBLE_SHARE,
    );
    return { column, fields: [...likely, null] };
  });
  const free = choices.filter(({ fields }) => fields.length > 1);
  const dropped = new Set(free.slice(0, Math.max(0, free.length - MAX_FREE_COLUMNS)));
  return choices.filter((choice) => !dropped.has(choice));
}

function unaryScore(column: ColumnEvidence, field: NumericField): number {
  const announced = column.header?.kind === field ? column.header.score * HEADER_WEIGHT : 0;
  const contradicted = column.header !== null && column.header.kind !== field ? column.header.score * 2 : 0;
  return announced - contradicted + plausibleShare(column, field) * PLAUSIBILITY_WEIGHT;
}

/** Plausible values of each field. */
const PLAUSIBLE: Record<NumericField, (value: number) => boolean> = {
  quantity: (value) => value > 0 && value <= 1000,
  timesPerDay: (value) => Number.isInteger(value) && value >= 1 && value <= 6,
  days: (value) => Number.isInteger(value) && value >= 1 && value <= 365,
  prescribedQty: (value) => value > 0,
  unitPrice: (value) => Number.isInteger(value) && value >= 2,
  totalAmount: (value) => Number.isInteger(value) && value >= 10,
};

/** Share of a column's numbers that look like the field's. */
function plausibleShare(column: ColumnEvidence, field: NumericField): number {
  const values = (WHOLE_FIELDS.has(field) ? column.whole : column.quantities).filter((value) => value !== null);
  return values.length === 0 ? 0 : values.filter(PLAUSIBLE[field]).length / values.length;
}

/** How much unclear headers resemble the fields of their columns, where the arithmetic bears them out. */
function hinted(chosen: ReadonlyMap<NumericField, ColumnEvidence>, { bound }: Support): number {
  let sum = 0;
  for (const [field, { hints }] of chosen) if (bound.has(field)) sum += hints.get(field) ?? 0;
  return sum;
}

/** Number of field pairs in an order that sheets rarely print. */
function disorder(chosen: ReadonlyMap<NumericField, ColumnEvidence>): number {
  const columns = NUMERIC_FIELDS.map((field) => chosen.get(field)?.column).filter((column) => column !== undefined);
  let inversions = 0;
  for (let i = 0; i < columns.length; i++)
    for (let j = i + 1; j < columns.length; j++) if (columns[i]! > columns[j]!) inversions++;
  return inversions;
}

/**
 * The columns of a prescription by their order, where some of the headers cannot be read: every form prints the dose, the
 * times a day and the days side by side, and no other number.
 */
function byDoseOrder(columns: readonly ColumnEvidence[]): ReadonlyMap<NumericField, number> | null {
  if (columns.length !== DOSE_COLUMNS.length) return null;
  const isAnnounced = columns.map(
    (column) => isClear(column) && !isAnnouncedTwice(column, columns) && !isLikeAnother(column),
  );
  const fits = columns.every((column, index) => {
    const field = isAnnounced[index] ? announcedField(column) : DOSE_COLUMNS[index];
    return field === DOSE_COLUMNS[index] && plausibleShare(column, field!) >= MIN_PLAUSIBLE_SHARE;
  });
  return fits && columns.some((column) => announcedField(column) !== null)
    ? new Map(DOSE_COLUMNS.map((field, index) => [field, columns[index]!.column]))
    : null;
}

/** Rows in which the first of four columns is the product of the next two, and their share: of a third, 0.3333, it is rounded. */
const MIN_PRODUCTS = 3;
const MIN_PRODUCT_SHARE = 0.8;

/**
 * The columns of a list without any header that prints the daily dose before the single dose: it is the product of the next two. A total
 * follows its factors.
 */
function byDailyDose(columns: readonly ColumnEvidence[]): ReadonlyMap<NumericField, number> | null {
  const [daily, ...dosed] = columns;
  if (dosed.length !== DOSE_COLUMNS.length || columns.some(({ header }) => header !== null)) return null;
  const [dose, times] = dosed;
  const products = daily!.quantities.flatMap((prescribedQty, row) => {
    const [quantity, timesPerDay] = [dose!.quantities[row] ?? null, times!.whole[row] ?? null];
    return dosageHolds({ quantity, timesPerDay, prescribedQty }, ['quantity', 'timesPerDay']) ?? [];
  });
  const held = products.filter((holds) => holds).length;
  const isDaily = held >= MIN_PRODUCTS && held >= MIN_PRODUCT_SHARE * products.length;
  const isOften = times!.whole.some((count) => (count ?? 0) > 1);
  return isDaily && isOften ? new Map(DOSE_COLUMNS.map((field, index) => [field, dosed[index]!.column])) : null;
}

/** Whether a header was read with a wrong letter, and its word, 투여일수 or 투여횟수, differs little from its neighbour's. */
function isLikeAnother({ header }: ColumnEvidence): boolean {
  return (header?.kind === 'timesPerDay' || header?.kind === 'days') && header.score < 1;
}

/** Whether a total that no header announces is on some row another number than the dose times the times a day, and no days are found: rather times a day and days. */
function isContradicted(found: ReadonlyMap<NumericField, number>, columns: readonly ColumnEvidence[]): boolean {
  const of = (field: NumericField) => columns.find(({ column }) => column === found.get(field));
  const [dose, times, total] = [of('quantity'), of('timesPerDay'), of('prescribedQty')];
  if (!dose || !times || !total || found.has('days') || announcedField(total) === 'prescribedQty') return false;
  return total.quantities.some((prescribedQty, row) => {
    const [quantity, timesPerDay] = [dose.quantities[row] ?? null, times.whole[row] ?? null];
    return dosageHolds({ quantity, timesPerDay, prescribedQty }, ['quantity', 'timesPerDay']) === false;
  });
}

/** Whether the header of another column says the same: one of the two was misread. */
function isAnnouncedTwice(column: ColumnEvidence, columns: readonly ColumnEvidence[]): boolean {
  const field = announcedField(column);
  return field !== null && columns.some((other) => other !== column && announcedField(other) === field);
}

/** Last resort when nothing was recognised: the order that the template states, if the columns are as many, or those of numbers are. */
function byTemplateOrder(
  columns: readonly ColumnEvidence[],
  numeric: readonly ColumnEvidence[],
  found: ColumnAssignment,
  template: Template,
): ColumnAssignment | null {
  const order = template.columnOrder;
  if (order?.length === columns.length) return new Map(order.map((field, i) => [field, columns[i]!.column]));
  const fields = order?.filter((field) => field !== 'drugCode' && field !== 'drugName');
  if (fields?.length !== numeric.length || !found.has('drugName')) return null;
  return new Map([...found, ...fields.map((field, i) => [field, numeric[i]!.column] as const)]);
}

function best<T>(candidates: readonly T[], score: (candidate: T) => number): T | null {
  let winner: T | null = null;
  let highest = 0;
  for (const candidate of candidates) {
    const value = score(candidate);
    if (value > highest) [winner, highest] = [candidate, value];
  }
  return winner;
}

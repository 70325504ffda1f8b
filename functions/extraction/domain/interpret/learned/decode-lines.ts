import type { DrugLine, Field, TextField } from '../../drug-line.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import { medianOf } from '../../median.ts';
import type { Reading, ReadTable } from '../../reading/table-reader.ts';
import { NUMERIC_FIELDS, type NumericField } from '../../sheet-arithmetic.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { inReadingOrder } from '../page/reading-order.ts';
import { areDigits, centerY, hullOf, overlap, type Print } from '../print.ts';
import { bestNumbers, type NumberChoice } from './line-beam.ts';
import { areOneCode, groupedCode, isGroupOfDigits } from './line-code.ts';
import { nameField, textField } from './line-name.ts';
import { dosesOf, numberOf, type PrintNumber } from './print-numbers.ts';
import { CODE_ROLES, indexOf, NAME_ROLES, NUMBER_ROLES, type NumberRole, ROLES, type Role } from './roles.ts';
import type { TableOdds } from './table-network.ts';

const EMPTY = { value: null, text: '', confidence: 1 } as const;
/** A print is what the network takes it for from this probability on. */
const LIKELY = 0.5;
/** Log-probabilities below this are all alike: an impossible role is no more impossible than that. */
const FLOOR = -8;
/** Roles that a print's column has to have at least, to be tried. */
const TRIED = 4;
/** How strongly a column's other numbers speak. */
const VOTE = 1.5;
/** In letter heights: numbers of one column are as far above or below their drug's code, each. */
const LEVEL = 0.7;

/** A drug's prints; `number` ones are what the beam assigns. */
interface Group {
  readonly anchor: number;
  readonly members: readonly number[];
}

/** A line without a code has this share of the numbers that coded lines have; other print next to a list has fewer. */
const SHARED = 0.5;

export interface DecodedLines {
  /** From top to bottom; their rows leave out those that are unread. */
  readonly lines: readonly DrugLine[];
  /** Rows that print a code and none of the numbers that the others have. */
  readonly unreadRows: readonly number[];
  /** Of every print, in their order: the index of the line that it is a part of, or null. */
  readonly lineOf: readonly (number | null)[];
}

/** Drug lines of a page from what the network says of its prints. */
export function decodeLines(prints: readonly Print[], odds: TableOdds, known: KnownDrugs): DecodedLines {
  const roles = logProbabilities(odds.roles, prints.length);
  const groups = groupsOf(prints, roles, odds.anchors);
  const votes = withVotes(prints, roles, groups);
  const found = inOrder(groups, prints).map((group) => ({ group, line: lineOf(group, prints, roles, votes, known) }));
  const isLike = likeTheOthers(
    found.map(({ group, line }) => ({ line, table: prints[group.anchor]!.table })),
    known,
  );
  const rows = found
    .map(({ group, line }) => ({ group, line, isListed: isLike(line) }))
    .filter(({ line, isListed }) => isListed || line.drugCode.value !== null)
    .map(({ line, ...found }, row) => ({ ...found, line: { ...line, row } }));
  const listed = rows.filter(({ isListed }) => isListed);
  const lineOfPrint = new Map(listed.flatMap(({ group }, index) => group.members.map((print) => [print, index])));
  return {
    lines: listed.map(({ line }) => line),
    unreadRows: rows.flatMap(({ line, isListed }) => (isListed ? [] : line.row)),
    lineOf: prints.map((_, print) => lineOfPrint.get(print) ?? null),
  };
}

/** Table by table, of side-by-side ones the left one first, and top to bottom in each. */
function inOrder(groups: readonly Group[], prints: readonly Print[]): readonly Group[] {
  const tables = Map.groupBy(groups, ({ anchor }) => prints[anchor]!.table);
  const placed = [...tables.values()].map((of) => ({ of, box: hullOf(of.map(({ anchor }) => prints[anchor]!.box)) }));
  return inReadingOrder(placed.toSorted((a, b) => a.box.y - b.box.y)).flatMap(({ of }) =>
    of.toSorted((a, b) => readingOrder(prints[a.anchor]!, prints[b.anchor]!)),
  );
}

interface PlacedLine {
  readonly line: DrugLine;
  readonly table: ReadTable | null;
}

/**
 * A test for lines that have numbers as the others: with a code a single one, else most of them. The names of a table without codes are
 * compared with each other if the list has most of them.
 */
function likeTheOthers(lines: readonly PlacedLine[], known: KnownDrugs): (line: DrugLine) => boolean {
  const ofPage = usualCount(lines.map(({ line }) => line));
  const usual = new Map(lines.map(({ line }) => [line, ofPage]));
  for (const [table, placed] of Map.groupBy(lines, (one) => one.table)) {
    const own = placed.map(({ line }) => line).filter(hasName);
    const ofList = own.filter(({ drugName }) => known.isNamed(drugName.value!));
    if (table === null || own.some(hasCode) || ofList.length <= SHARED * own.length) continue;
    for (const line of own) usual.set(line, usualCount(own));
  }
  return (line) => {
    const count = usual.get(line)!;
    return hasCode(line) ? countOf(line) >= Math.min(1, count - 1) : hasName(line) && countOf(line) >= SHARED * count;
  };
}

/** Numbers that most coded lines have, or most named ones if there are none; at least one. */
function usualCount(lines: readonly DrugLine[]): number {
  const coded = lines.filter(hasCode);
  return Math.max(1, medianOf((coded.length > 0 ? coded : lines.filter(hasName)).map(countOf)));
}

function countOf(line: DrugLine): number {
  return NUMERIC_FIELDS.filter((field) => line[field].value !== null).length;
}

function hasCode({ drugCode }: DrugLine): boolean {
  return drugCode.value !== null;
}

function hasName({ drugName }: DrugLine): boolean {
  return drugName.value !== null;
}

/** Sets of roles of one print, natural logarithms. */
function logProbabilities(logits: Float32Array, count: number): readonly Float32Array[] {
  return Array.from({ length: count }, (_, index) => {
    const row = logits.slice(index * ROLES.length, (index + 1) * ROLES.length);
    const top = Math.max(...row);
    const sum = top + Math.log(row.reduce((all, one) => all + Math.exp(one - top), 0));
    return row.map((one) => Math.max(FLOOR, one - sum));
  });
}

function probabilityOf(row: Float32Array, of: readonly Role[]): number {
  return of.reduce((sum, role) => sum + Math.exp(row[indexOf(role)]!), 0);
}

const FIELD_ROLES: readonly Role[] = [...CODE_ROLES, 'drugName', ...NUMBER_ROLES, 'doses'];

/** Prints by the anchor that each points to: a code, or a name that points to itself. */
function groupsOf(prints: readonly Print[], roles: readonly Float32Array[], anchors: Float32Array): readonly Group[] {
  const count = prints.length;
  const pointers = prints.map((_, index) => anchors.subarray(index * count, (index + 1) * count));
  const best = (of: Float32Array, among: readonly number[]) =>
    among.reduce((a, b) => (of[b]! > of[a]! ? b : a), among[0] ?? -1);
  const all = prints.map((_, index) => index);
  const fields = all.filter((index) => probabilityOf(roles[index]!, FIELD_ROLES) > LIKELY);
  const isCode = (index: number) => probabilityOf(roles[index]!, CODE_ROLES) > LIKELY;
  // A group of a code's digits points to the group before it.
  const isPart = (index: number) => {
    const to = best(pointers[index]!, all);
    return to !== index && isCode(to) && [index, to].every((one) => isGroupOfDigits(prints[one]!));
  };
  const isAnchor = (index: number) =>
    isCode(index)
      ? !isPart(index)
      : probabilityOf(roles[index]!, ['drugName']) > LIKELY && best(pointers[index]!, all) === index;
  const starts = fields.filter(isAnchor);
  // One drug whose code is printed twice in its row.
  const firstOf = (start: number) =>
    starts.find((other) => other === start || areOneCode(prints[other]!, prints[start]!)) ?? start;
  const members = new Map<number, number[]>(starts.map((start) => [firstOf(start), []]));
  for (const index of fields) {
    const to = starts.includes(index) ? index : best(pointers[index]!, starts);
    members.get(firstOf(to))?.push(index);
  }
  return [...members].map(([anchor, of]) => ({ anchor, members: of }));
}

/** Log-probabilities of numbers with what the rest of their column says: as far from their drugs, and one below the other. */
function withVotes(
  prints: readonly Print[],
  roles: readonly Float32Array[],
  groups: readonly Group[],
): ReadonlyMap<number, Float32Array> {
  const numbers = groups.flatMap(({ anchor, members }) =>
    members
      .filter((index) => index !== anchor && probabilityOf(roles[index]!, NUMBER_ROLES) > 0.1)
      .map((index) => ({ index, anchor, level: centerY(prints[index]!.box) - centerY(prints[anchor]!.box) })),
  );
  const areOneColumn = (a: (typeof numbers)[number], b: (typeof numbers)[number]) => {
    const [one, other] = [prints[a.index]!, prints[b.index]!];
    if (a.anchor === b.anchor || Math.abs(a.level - b.level) > LEVEL * one.box.height) return false;
    if (one.table !== other.table) return false;
    if (one.cell && other.cell && one.cell.column !== other.cell.column) return false;
    const { x, width } = one.box;
    return overlap(x, x + width, other.box.x, other.box.x + other.box.width) > -0.3 * one.box.height;
  };
  return new Map(
    numbers.map((number) => {
      const column = numbers.filter((other) => areOneColumn(number, other));
      const own = roles[number.index]!;
      if (countsLines(printsBelowEachOther(prints[number.index]!, prints))) return [number.index, NO_NUMBER];
      if (column.length === 0) return [number.index, own];
      const mean = own.map((_, r) => column.reduce((sum, { index }) => sum + roles[index]![r]!, 0) / column.length);
      return [number.index, own.map((score, r) => score + VOTE * mean[r]!)];
    }),
  );
}

/** The scores of a print that is surely none of a drug's numbers. */
const NO_NUMBER = Float32Array.from(ROLES, (role) => (role === 'none' ? 0 : FLOOR));

/** The numbers in a print's column, with any label. */
function printsBelowEachOther({ box, table }: Print, prints: readonly Print[]): readonly Print[] {
  const reach = (other: Print) => overlap(box.x, box.x + box.width, other.box.x, other.box.x + other.box.width);
  return prints.filter((other) => other.table === table && areDigits(other.text) && reach(other) > 0);
}

/** Fewer doses may be 1, 2 by chance. */
const COUNTED = 4;

/** Whether a column numbers the lines from top to bottom: most of its numbers are one more than that above. */
function countsLines(column: readonly Print[]): boolean {
  if (column.length < COUNTED) return false;
  const values = column
    .toSorted((a, b) => centerY(a.box) - centerY(b.box))
    .map((print) => numberOf(print, 'prescribedQty')?.value ?? Number.NaN);
  const steps = values.slice(1).filter((value, index) => value === values[index]! + 1);
  return steps.length >= 0.7 * (values.length - 1);
}

function lineOf(
  { members }: Group,
  prints: readonly Print[],
  roles: readonly Float32Array[],
  votes: ReadonlyMap<number, Float32Array>,
  known: KnownDrugs,
): DrugLine {
  const likeliest = (index: number) => roleOf(roles[index]!, FIELD_ROLES);
  const ofRole = (...wanted: readonly Role[]) =>
    members
      .filter((index) => wanted.includes(likeliest(index)))
      .map((index) => prints[index]!)
      .toSorted(readingOrder);
  const split = new Map(ofRole(...CODE_ROLES).map((print) => [print, splitCodeAndName(print)]));
  const whole = [...split.values()].filter((one) => one !== null);
  const coded = whole.length > 0 ? whole : groupedCode(ofRole('drugCode'));
  const code = coded[0]?.code ?? null;
  const parted = new Set([...split].filter(([, parts]) => parts !== null).map(([print]) => print));
  const names = [
    ...coded.map(({ name }) => name),
    ...ofRole(...NAME_ROLES).filter((print) => !parted.has(print)),
  ].filter(({ text }) => text !== '');
  const choices = members
    .filter((index) => votes.has(index) && (NUMBER_ROLES as readonly Role[]).includes(likeliest(index)))
    .map((index) => choiceOf(prints[index]!, votes.get(index)!));
  const { numbers, confidence } = bestNumbers(choices, code ? known.pricesOf(code.text) : []);
  const fields = new Map<NumericField, PrintNumber>();
  for (const [role, number] of numbers) if (role !== 'dailyDose') fields.set(role, number);
  const [doses] = ofRole('doses');
  const inDoses = doses ? dosesOf(doses) : [];
  for (const [n, field] of (['quantity', 'timesPerDay', 'days'] as const).entries())
    if (inDoses[n] && !fields.has(field)) fields.set(field, inDoses[n]);
  const daily = numbers.get('dailyDose');
  if (daily && !fields.has('quantity')) fields.set('quantity', daily);
  const fromDaily = daily !== undefined && fields.get('quantity') === daily;
  const number = (field: NumericField) =>
    numberField(fields.get(field), confidence.get(field === 'quantity' && fromDaily ? 'dailyDose' : field));
  return {
    drugCode: codeField(code),
    drugName: nameField(names),
    quantity: number('quantity'),
    timesPerDay: number('timesPerDay'),
    days: number('days'),
    prescribedQty: number('prescribedQty'),
    unitPrice: number('unitPrice'),
    totalAmount: number('totalAmount'),
    row: 0,
  };
}

function roleOf(row: Float32Array, among: readonly Role[]): Role {
  return among.reduce((a, b) => (row[indexOf(b)]! > row[indexOf(a)]! ? b : a));
}

function choiceOf(print: Print, scores: Float32Array): NumberChoice {
  const scored = NUMBER_ROLES.map((role: NumberRole) => ({ role, score: scores[indexOf(role)]! }));
  const tried = scored.sort((a, b) => b.score - a.score).slice(0, TRIED);
  const options = tried.map(({ role, score }) => ({ role, score, number: numberOf(print, role) }));
  return { options: [...options, { role: null, score: scores[indexOf('none')]!, number: null }] };
}

function codeField(code: Reading | null): TextField {
  return code ? { ...textField(code), value: code.text } : EMPTY;
}

/** @param confidence in the number's role; by default as it was read. */
function numberField(number: PrintNumber | undefined, confidence = 1): Field<number> {
  if (!number) return EMPTY;
  return { value: number.value, text: number.text, confidence: Math.min(number.confidence, confidence) };
}

/** By the middle of their heights, from left to right where they are level. */
function readingOrder(a: Print, b: Print): number {
  const apart = centerY(a.box) - centerY(b.box);
  return Math.abs(apart) > 0.5 * Math.min(a.box.height, b.box.height) ? apart : a.box.x - b.box.x;
}

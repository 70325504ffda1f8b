import type { DrugLine, DrugTable } from '../../drug-line.ts';
import { hasCompanyPrefix } from '../../master/drug-code.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import type { PageReading } from '../../reading/table-reader.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';
import { printsOf } from '../print.ts';
import { decodeLines } from './decode-lines.ts';
import { encodePrints } from './print-features.ts';
import { numberOf } from './print-numbers.ts';
import { indexOf, ROLES } from './roles.ts';
import type { TableNetwork, TableOdds } from './table-network.ts';

const FIELDS = ['drugCode', 'drugName', ...NUMERIC_FIELDS] as const;

/** More prints are a newspaper's, and the network's time grows with their square. */
const MAX_PRINTS = 500;
/** A list has a column that this share of its lines has a value in, and any of prices, amounts, or with a header. */
const IN_COLUMN = 0.4;
const MONEY: ReadonlySet<string> = new Set(['unitPrice', 'totalAmount']);

/** The drug table of a page by the network of tables; null where no line shows a maker's code or a name of the list, or of too many prints. */
export async function learnedTable(
  reading: PageReading,
  network: TableNetwork,
  known: KnownDrugs,
): Promise<DrugTable | null> {
  const prints = printsOf(reading);
  if (prints.length > MAX_PRINTS) return null;
  const odds = await network.run(encodePrints(prints, known));
  const { lines, unreadRows } = decodeLines(prints, odds, known);
  if (!lines.some((line) => isDrug(line, known))) return null;
  const headed = headersOf(odds, prints.length);
  const columns = FIELDS.filter((field) => {
    const count = lines.filter((line) => line[field].value !== null).length;
    return count >= IN_COLUMN * lines.length || (count > 0 && (MONEY.has(field) || headed.has(`${field}Header`)));
  });
  const totals = prints.filter((_, index) => likeliest(odds, index) === 'total');
  return {
    lines,
    columns: new Set(columns),
    inferredColumns: new Set(columns.filter((field) => !headed.has(`${field}Header`))),
    printedTotals: {
      totalAmount: totals.length === 1 ? (numberOf(totals[0]!, 'totalAmount')?.value ?? null) : null,
      lineCount: null,
    },
    unreadRows,
    bounded: reading.tables.every(({ bounded }) => bounded),
  };
}

function isDrug({ drugCode, drugName }: DrugLine, known: KnownDrugs): boolean {
  if (drugCode.value !== null) return hasCompanyPrefix(drugCode.value);
  return drugName.value !== null && known.isNamed(drugName.value);
}

function headersOf(odds: TableOdds, count: number): ReadonlySet<string> {
  return new Set(Array.from({ length: count }, (_, index) => likeliest(odds, index)));
}

function likeliest({ roles }: TableOdds, print: number): (typeof ROLES)[number] {
  const at = print * ROLES.length;
  return ROLES.reduce((a, b) => (roles[at + indexOf(b)]! > roles[at + indexOf(a)]! ? b : a));
}

import type { DrugLine, DrugTable } from '../../drug-line.ts';
import { hasCompanyPrefix, isWholeCode } from '../../master/drug-code.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import type { PageReading } from '../../reading/table-reader.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { type Print, printsOf } from '../print.ts';
import { decodeLines } from './decode-lines.ts';
import { encodePrints } from './print-features.ts';
import { labelsOf, type PrintLabel } from './print-labels.ts';
import { numberOf } from './print-numbers.ts';
import { CODE_ROLES } from './roles.ts';
import type { TableNetwork } from './table-network.ts';

const FIELDS = ['drugCode', 'drugName', ...NUMERIC_FIELDS] as const;

/** More prints are a newspaper's, and the network's time grows with their square. */
const MAX_PRINTS = 500;
/** A list has a column that this share of its lines has a value in, and any of prices, amounts, or with a header. */
const IN_COLUMN = 0.4;
const MONEY: ReadonlySet<string> = new Set(['unitPrice', 'totalAmount']);

/** A page's lines and labels by the network of tables. */
export interface LearnedReading {
  /** Null where no line shows a maker's code or a name of the list. */
  readonly table: DrugTable | null;
  /** Of every print of the page. */
  readonly labels: readonly PrintLabel[];
  /** Whole codes with a maker's prefix in prints that the network takes for a drug's code. */
  readonly codes: readonly string[];
}

/** The network's reading of a page; null for a page of too many prints. */
export async function learnedReading(
  reading: PageReading,
  network: TableNetwork,
  known: KnownDrugs,
): Promise<LearnedReading | null> {
  const prints = printsOf(reading);
  if (prints.length > MAX_PRINTS) return null;
  const odds = await network.run(encodePrints(prints, known));
  const { lines, unreadRows, lineOf } = decodeLines(prints, odds, known);
  const labels = labelsOf(prints, odds, lineOf);
  const isBounded = reading.tables.every(({ bounded }) => bounded);
  const table = lines.some((line) => isDrug(line, known))
    ? tableOf(lines, unreadRows, prints, labels, isBounded)
    : null;
  return { table, labels, codes: prints.flatMap((print, index) => codeOf(print, labels[index]!)) };
}

function tableOf(
  lines: readonly DrugLine[],
  unreadRows: readonly number[],
  prints: readonly Print[],
  labels: readonly PrintLabel[],
  bounded: boolean,
): DrugTable {
  const headed: ReadonlySet<string> = new Set(labels.map(({ role }) => role));
  const columns = FIELDS.filter((field) => {
    const count = lines.filter((line) => line[field].value !== null).length;
    return count >= IN_COLUMN * lines.length || (count > 0 && (MONEY.has(field) || headed.has(`${field}Header`)));
  });
  const totals = prints.filter((_, index) => labels[index]!.role === 'total');
  return {
    lines,
    columns: new Set(columns),
    inferredColumns: new Set(columns.filter((field) => !headed.has(`${field}Header`))),
    printedTotals: {
      totalAmount: totals.length === 1 ? (numberOf(totals[0]!, 'totalAmount')?.value ?? null) : null,
      lineCount: null,
    },
    unreadRows,
    bounded,
  };
}

function codeOf(print: Print, { role }: PrintLabel): readonly string[] {
  const code = CODE_ROLES.includes(role) ? splitCodeAndName(print)?.code.text : undefined;
  return code !== undefined && isWholeCode(code) && hasCompanyPrefix(code) ? [code] : [];
}

function isDrug({ drugCode, drugName }: DrugLine, known: KnownDrugs): boolean {
  if (drugCode.value !== null) return hasCompanyPrefix(drugCode.value);
  return drugName.value !== null && known.isNamed(drugName.value);
}

import { splitCodeAndName } from '../codes/code-and-name.ts';
import { showsCode } from '../codes/shows-code.ts';
import type { Print } from '../print.ts';
import { type Column, isName, isNumeric } from './list-columns.ts';

/** The columns that hold the codes and the names of a list, from left to right; none where it shows neither. @param inColumn the prints of each. */
export function nameColumnsOf(
  columns: readonly Column[],
  inColumn: (column: Column) => readonly Print[],
): readonly Column[] {
  // A word for codes also heads who pays: such a column holds none.
  const isOfNames = (column: Column) => {
    const { match } = column.header;
    if (match?.kind !== 'drugCode') return match?.kind === 'drugName';
    return isHeadedBeside(column, columns) || inColumn(column).some((print) => splitCodeAndName(print) !== null);
  };
  const named = columns.filter(isOfNames);
  if (named.some(({ header }) => header.match?.kind === 'drugName')) return named;
  if (named.length > 0) return withNamesBehind(named, columns, inColumn);
  const first = columns.findIndex(isNumeric);
  if (first < 0) return codedColumns(columns, inColumn);
  // Without a word for names, they lie left of the first number.
  return columns.slice(0, first).filter((column) => inColumn(column).some(isName));
}

/** Whether the column of the names is the next, or the next but one of which one letter heads. */
function isHeadedBeside(column: Column, columns: readonly Column[]): boolean {
  const at = columns.indexOf(column);
  const names = columns.findIndex(({ header: { match } }) => match?.kind === 'drugName');
  return names < 0 || Math.abs(at - names) === 1 || (Math.abs(at - names) === 2 && isStray(columns[(at + names) / 2]!));
}

/** The column of the codes, and the next if it holds words: names are right behind them. */
function codedColumns(columns: readonly Column[], inColumn: (column: Column) => readonly Print[]): readonly Column[] {
  const codesIn = columns.map((column) => inColumn(column).filter(showsCode).length);
  const most = Math.max(0, ...codesIn);
  if (most === 0) return [];
  return withNamesBehind([columns[codesIn.indexOf(most)!]!], columns, inColumn);
}

/** The columns of codes, and the next one if no word heads it and it holds words: names are right behind codes. */
function withNamesBehind(
  codes: readonly Column[],
  columns: readonly Column[],
  inColumn: (column: Column) => readonly Print[],
): readonly Column[] {
  const last = codes.at(-1)!;
  const next = columns[columns.indexOf(last) + 1];
  if (!next || next.header.match !== null) return codes;
  const words = inColumn(next).filter(({ text }) => /\p{L}{2}/u.test(text)).length;
  return words > inColumn(last).filter(showsCode).length / 2 ? [...codes, next] : codes;
}

function isStray({ ruled, header: { match, text } }: Column): boolean {
  return !ruled && match === null && text.length === 1;
}

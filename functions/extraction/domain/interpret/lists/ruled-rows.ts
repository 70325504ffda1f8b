import { splitCodeAndName } from '../codes/code-and-name.ts';
import { groupByLevel, type Print } from '../print.ts';
import { spannedRowsOf } from './grid-rows.ts';
import { type Line, rowOf } from './list-lines.ts';

/**
 * Lines of names with those of one row of the form's grid joined to one, the code first: names wrap within their row, and a code may be level
 * with none of their lines. Where a row holds two codes, the form's rows are none of the drugs'.
 * @param columns the prints of each of the list's other columns: a row with two numbers in one of them is two drugs'.
 */
export function joinRuledRows(lines: readonly Line[], columns: readonly (readonly Print[])[]): readonly Line[] {
  const rows = [...Map.groupBy(lines, ({ parts }) => spannedRowsOf(parts))].flatMap(([row, own]) =>
    row === null ? [] : [{ row, own }],
  );
  if (rows.some(({ own }) => own.filter((line) => splitCodeAndName(line) !== null).length > 1)) return lines;
  const joined = new Map(
    rows
      .filter(({ row, own }) => own.length > 1 && isOneDrug(row, own, columns))
      .map(({ own }) => [own[0]!, rowOf(own.flatMap(({ parts }) => parts))] as const),
  );
  const gone = new Set(rows.flatMap(({ own }) => (joined.has(own[0]!) ? own.slice(1) : [])));
  return lines.flatMap((line) => (gone.has(line) ? [] : [joined.get(line) ?? line]));
}

function isOneDrug(row: string, lines: readonly Line[], columns: readonly (readonly Print[])[]): boolean {
  const numbers = columns.map((prints) =>
    prints.filter((print) => /\d/.test(print.text) && spannedRowsOf([print]) === row),
  );
  const isNumbered = numbers.some((own) => own.length > 0);
  const isCoded = lines.some((line) => splitCodeAndName(line) !== null);
  return (isNumbered || isCoded) && numbers.every((own) => groupByLevel(own).length <= 1);
}

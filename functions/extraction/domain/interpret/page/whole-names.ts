import type { DrugLine, DrugTable } from '../../drug-line.ts';
import { endsInOpenBracket } from '../../text/open-bracket.ts';

/** A table of a reading, which another reading may have seen with names, or with those of several lines. */
type Lines = Pick<DrugTable, 'lines' | 'columns'>;

/**
 * Tables with the names that are missing or end in an open bracket as another reading has them whole: rows that rules part keep the second line
 * of a name, which rows that are put together of lines may lose, and the whole column where they know none of its header.
 * @param readings of the same page.
 */
export function withWholeNames<Table extends Lines>(
  tables: readonly Table[],
  readings: readonly (readonly Lines[])[],
): readonly Table[] {
  const others = readings.map((reading) => byCode(reading.flatMap(({ lines }) => lines)));
  const wholeOf = (line: DrugLine): DrugLine => {
    const name = line.drugName.value;
    if (line.drugCode.value === null || (name !== null && !endsInOpenBracket(name))) return line;
    for (const lines of others) {
      const [same, ...more] = lines.get(line.drugCode.value) ?? [];
      const whole = same?.drugName.value ?? '';
      if (more.length > 0 || whole === '' || !whole.startsWith(name ?? '') || endsInOpenBracket(whole)) continue;
      return withNameOf(same!, line);
    }
    return line;
  };
  return tables.map((table) => {
    const lines = table.lines.map(wholeOf);
    const isNamed = lines.some(({ drugName }) => drugName.value !== null);
    return { ...table, lines, columns: isNamed ? new Set([...table.columns, 'drugName'] as const) : table.columns };
  });
}

function withNameOf({ drugName, nameFillsColumn, nameHasRoom, nameEnd }: DrugLine, line: DrugLine): DrugLine {
  const { nameFillsColumn: _fills, nameHasRoom: _room, nameEnd: _end, ...rest } = line;
  return {
    ...rest,
    drugName,
    ...(nameFillsColumn !== undefined && { nameFillsColumn }),
    ...(nameHasRoom !== undefined && { nameHasRoom }),
    ...(nameEnd && { nameEnd }),
  };
}

function byCode(lines: readonly DrugLine[]): ReadonlyMap<string, readonly DrugLine[]> {
  return Map.groupBy(
    lines.filter(({ drugCode }) => drugCode.value !== null),
    ({ drugCode }) => drugCode.value!,
  );
}

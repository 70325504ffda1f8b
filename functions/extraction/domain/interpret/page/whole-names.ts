import type { DrugLine } from '../../drug-line.ts';
import { endsInOpenBracket } from '../../text/open-bracket.ts';

/** Lines of a reading, whose table another reading may have seen with names of several lines. */
interface Lines {
  readonly lines: readonly DrugLine[];
}

/**
 * Tables with the names that end in an open bracket as another reading has them whole: rows that rules part keep the second line of a name, which
 * rows that are put together of lines may lose.
 * @param readings of the same page.
 */
export function withWholeNames<Table extends Lines>(
  tables: readonly Table[],
  readings: readonly (readonly Lines[])[],
): readonly Table[] {
  const others = readings.map((reading) => byCode(reading.flatMap(({ lines }) => lines)));
  const wholeOf = (line: DrugLine): DrugLine => {
    const name = line.drugName.value;
    if (name === null || line.drugCode.value === null || !endsInOpenBracket(name)) return line;
    for (const lines of others) {
      const [same, ...more] = lines.get(line.drugCode.value) ?? [];
      const whole = same?.drugName.value ?? '';
      if (more.length > 0 || !whole.startsWith(name) || endsInOpenBracket(whole)) continue;
      return withNameOf(same!, line);
    }
    return line;
  };
  return tables.map((table) => ({ ...table, lines: table.lines.map(wholeOf) }));
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

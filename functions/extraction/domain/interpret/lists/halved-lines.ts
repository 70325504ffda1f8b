import type { DrugLine } from '../../drug-line.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';

/** Fewer drugs in two lines may be two drugs, each with something unread. */
const MIN_DRUGS = 2;

/**
 * A list that prints each drug in two lines, one with its code, perhaps with a pack, and one with its name and numbers, has as many halves of
 * either kind in turn: each pair is one line. A code without numbers next to numbers without a code is never two drugs.
 */
export function joinHalves(lines: readonly DrugLine[]): readonly DrugLine[] {
  const halves = lines.filter((line) => isCode(line) || isNumbered(line));
  const [first] = halves;
  if (!first || halves.length < 2 * MIN_DRUGS || halves.length % 2 > 0) return lines;
  const begins = isCode(first) ? isCode : isNumbered;
  if (!halves.every((line, at) => begins(line) === (at % 2 === 0))) return lines;
  // Halves of one drug follow each other.
  const areNext = halves.every((line, at) => at % 2 === 0 || lines[lines.indexOf(line) - 1] === halves[at - 1]);
  if (!areNext) return lines;
  return lines.flatMap((line, at) => {
    if (!halves.includes(line)) return [line];
    if (!begins(line)) return [];
    const [code, numbers] = isCode(line) ? [line, lines[at + 1]!] : [lines[at + 1]!, line];
    return [{ ...numbers, drugCode: code.drugCode, row: line.row }];
  });
}

function hasNumbers(line: DrugLine): boolean {
  return NUMERIC_FIELDS.some((field) => line[field].text !== '') || line.timesPerDay.text !== '';
}

/** A code without numbers, alone or with its pack. */
function isCode(line: DrugLine): boolean {
  return line.drugCode.value !== null && !hasNumbers(line) && !/^[^(]*\p{L}{2}/u.test(line.drugName.value ?? '');
}

function isNumbered(line: DrugLine): boolean {
  return line.drugCode.text === '' && line.drugName.value !== null && hasNumbers(line);
}

import { describe, expect, it } from 'vitest';
import type { DrugLine } from '../../../../../functions/extraction/domain/drug-line.ts';
import { withWholeNames } from '../../../../../functions/extraction/domain/interpret/page/whole-names.ts';

const end = { right: 300, letterWidth: 10, isClear: true };
const line = (code: string | null, name: string | null, nameFillsColumn = false) =>
  ({
    drugCode: { value: code, confidence: 1 },
    drugName: { value: name, confidence: 1 },
    nameFillsColumn,
    nameEnd: end,
  }) as unknown as DrugLine;

function namesOf(own: readonly DrugLine[], ...others: readonly (readonly DrugLine[])[]) {
  const [table] = withWholeNames(
    [{ lines: own, columns: new Set() }],
    others.map((lines) => [{ lines, columns: new Set() }]),
  );
  return table!.lines.map(({ drugName, nameFillsColumn }) => [drugName.value, nameFillsColumn]);
}

describe('names that are missing or end in an open bracket', () => {
  const cut = line('640500010', '가온정25mg(사르포그렐레이트염', true);

  it('are whole as another reading has them, with what it says of their ends', () => {
    const whole = line('640500010', '가온정25mg(사르포그렐레이트염산염)');
    expect(namesOf([cut], [cut], [whole])).toEqual([['가온정25mg(사르포그렐레이트염산염)', false]]);
  });

  it.each([
    ['of another drug', [line('640500020', '가온정25mg(사르포그렐레이트염산염)')]],
    ['that begins otherwise', [line('640500010', '나온정25mg(사르포그렐레이트염산염)')]],
    ['that is open, too', [line('640500010', '가온정25mg(사르포그렐레이트염산')]],
    [
      'of several lines with their code',
      [line('640500010', '가온정25mg(사르포그렐레이트염산염)'), line('640500010', '가온정25mg(사르포그렐레이트염)')],
    ],
  ])('stay next to a name %s', (_, other) => {
    expect(namesOf([cut], other)).toEqual([['가온정25mg(사르포그렐레이트염', true]]);
  });

  it('are taken from another reading where a line has none', () => {
    const named = line('640500010', '가온정25mg');
    expect(namesOf([line('640500010', null), line('640500020', null)], [], [named])).toEqual([
      ['가온정25mg', false],
      [null, false],
    ]);
    const [table] = withWholeNames(
      [{ lines: [line('640500010', null)], columns: new Set(['drugCode'] as const) }],
      [[{ lines: [named], columns: new Set() }]],
    );
    expect([...table!.columns]).toEqual(['drugCode', 'drugName']);
  });

  it('alone are looked for', () => {
    const closed = line('640500010', '가온정(콜린)');
    expect(namesOf([closed, line(null, '나래정(')], [line('640500010', '가온정(콜린)25mg')])).toEqual([
      ['가온정(콜린)', false],
      ['나래정(', false],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { nameEndOf } from '../../../../functions/extraction/domain/interpret/name-end.ts';
import { linedCell, readTable } from '../../../helpers/page-reading.ts';

describe('the end of a name', () => {
  const nameCell = () => readTable([[linedCell(['가온정5밀리그램(암로디핀'])]]).cells[0]!;
  const crossed = () => ({ ...nameCell(), lines: nameCell().lines!.map((line) => ({ ...line, crossed: true })) });

  it('is clear where nothing lies over its line and nothing was read behind it', () => {
    expect(nameEndOf(nameCell(), false)).toMatchObject({ isClear: true });
    expect(nameEndOf(nameCell(), true)).toMatchObject({ isClear: false });
  });

  it('is not below a seal, however surely the other letters are read', () => {
    expect(nameEndOf(crossed(), false)).toMatchObject({ isClear: false });
  });
});

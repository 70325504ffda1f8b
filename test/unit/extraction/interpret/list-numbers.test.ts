import { describe, expect, it } from 'vitest';
import { withoutListNumbers } from '../../../../functions/extraction/domain/interpret/list-numbers.ts';

function stripped(...names: readonly (string | null)[]) {
  const read = names.map((text) => (text === null ? null : { text, confidence: 0.9 }));
  return withoutListNumbers(read).map((name) => name?.text ?? null);
}

describe('numbers that count the rows of a list', () => {
  it('are no part of the names behind them', () => {
    expect(stripped('1 가온정', '2 나래캡슐', '3 다솜시럽')).toEqual(['가온정', '나래캡슐', '다솜시럽']);
    expect(stripped('4.가온정', '5. 나래캡슐', null, '7)다솜시럽')).toEqual(['가온정', '나래캡슐', null, '다솜시럽']);
    expect(stripped('1. 가온정')).toEqual(['가온정']);
  });

  it('are told by rising from row to row: a name may begin with a number', () => {
    expect(stripped('5 라온주', '5 마루주')).toEqual(['5 라온주', '5 마루주']);
    expect(stripped('1 라온주')).toEqual(['1 라온주']);
    expect(stripped('가온정', '2 라온주', '나래캡슐', '다솜시럽')).toEqual([
      '가온정',
      '2 라온주',
      '나래캡슐',
      '다솜시럽',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { withoutStrayDigit } from '../../../../../functions/extraction/domain/interpret/numbers/odd-days.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

/** The reading of days among others of their column; null if they stay unchanged. */
function daysAmong(days: string, ...others: readonly string[]) {
  const { cells } = readTable([days, ...others].map((text) => [text]));
  const found = withoutStrayDigit(cells).get(cells[0]!)?.text;
  return found ? [found.text, found.confidence] : null;
}

describe('withoutStrayDigit', () => {
  it('leaves out the digit without which other rows say the same, and a stroke behind less than a year', () => {
    expect(daysAmong('283', '28', '7')).toEqual(['28', 0.495]);
    expect(daysAmong('901')).toEqual(['90', 0.495]);
  });

  it('doubts more than a year', () => {
    expect(daysAmong('522', '5')).toEqual(['522', 0.495]);
  });

  it.each([
    ['180', ['30']],
    ['300', ['300', '30']],
    ['30', ['3']],
  ])('leaves %s among %s', (days, others) => {
    expect(daysAmong(days, ...others)).toBeNull();
  });
});

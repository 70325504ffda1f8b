import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { drugLinesOf } from '../../../../helpers/printed-form.ts';

const HEADER = ['처방의약품의 명칭 및 코드', '1회투약량', '1일투여횟수', '총투약일수'];
const LINES = [
  ['645501290 가온정5mg', '1', '3', '7'],
  ['071602520 나래캡슐', '0.5', '2', '7'],
];
const linesOf = (second: readonly (readonly string[])[], texts: readonly string[]) =>
  drugLinesOf(
    interpretPage(
      pageReading([readTable([HEADER, ...LINES]), readTable([HEADER, ...second])], texts),
      findTemplate('default')!,
    ),
  )?.length;

describe('a prescription that is printed twice on one page', () => {
  it('has its lines once', () => {
    expect(linesOf(LINES, ['처방전 (약국 보관용)', '처방전 (환자 보관용)'])).toBe(2);
  });

  it.each([
    ['only one copy is named', LINES, ['처방전 (약국 보관용)']],
    ['a number differs', [LINES[0]!, ['071602520 나래캡슐', '0.5', '2', '14']], ['(약국보관용)', '(환자보관용)']],
  ])('has all lines where %s', (_, second, texts) => {
    expect(linesOf(second, texts)).toBe(4);
  });
});

import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { drugLinesOf } from '../../../../helpers/printed-form.ts';

it('a header for codes and names that stands over both of their columns names the one without codes', () => {
  const table = readTable([
    ['처방의약품의', '명칭 및 코드', '1회투약', '1일횟수', '총투약일'],
    ['645501290', '가온정5mg', '1.00', '3', '7'],
    ['071602520', '나래캡슐', '0.50', '2', '14'],
    ['668502440', '다라시럽', '2.00', '3', '5'],
  ]);
  expect(drugLinesOf(interpretPage(pageReading([table]), findTemplate('default')!))).toEqual([
    ['645501290', '가온정5mg', 1, 7],
    ['071602520', '나래캡슐', 0.5, 14],
    ['668502440', '다라시럽', 2, 5],
  ]);
});

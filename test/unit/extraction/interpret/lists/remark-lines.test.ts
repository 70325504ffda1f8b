import { describe, expect, it } from 'vitest';
import { withoutRemarkLines } from '../../../../../functions/extraction/domain/interpret/lists/remark-lines.ts';
import { linedCell, readTable } from '../../../../helpers/page-reading.ts';

function nameOf(lines: readonly string[], letterWidths?: readonly number[]) {
  return withoutRemarkLines(readTable([[linedCell(lines, letterWidths), '1']])).cells[0]!;
}

describe('withoutRemarkLines', () => {
  it('leaves a header its lines in two languages', () => {
    expect(nameOf(['Dosage', '1회', '투여량']).text.text).toBe('Dosage1회투여량');
  });

  it.each([
    ['what a drug is good for', '염증과 통증을 줄이고 열을 내립니다.'],
    ['what to mind', '혈압을 낮추는 약입니다. 임의로 중단하지 마십시오'],
    ['advice', '충분한 물과 함께 드세요'],
    ['what it looks like', '상하 녹색/흰색 캡슐'],
    ['what it is good for, by a label', '효능: 해열, 진통'],
    ['what it is made of', 'Ambroxol HCl 30mg'],
    ['when it is taken', '→ 아침·저녁 식후 30분'],
    ['when it is taken, in a word', '필요시'],
    ['how often it is taken', '└ 1일 1회 새벽 공복에 복용'],
    ['who makes it', '[가나다제약]'],
  ])('ends a name above %s', (_, remark) => {
    const cell = nameOf(['가온정5밀리그램(가나다라염산염)', remark, '하루 두 번']);
    expect(cell.text.text).toBe('가온정5밀리그램(가나다라염산염)');
    expect(cell.lines).toHaveLength(1);
  });

  it('ends a name above smaller print', () => {
    expect(nameOf(['가온정5밀리그램', '해열진통소염제'], [10, 8]).text.text).toBe('가온정5밀리그램');
  });

  it.each([
    ['in print as large', ['가온정5밀리그램(가나', '다라염산염)'], [10, 10]],
    ['that has the ending of a sentence within a word', ['가온', '제니다민정'], [10, 10]],
    ['that has the ending of a request within a word', ['가온', '아세요정'], [10, 10]],
    ['in smaller print, in brackets', ['가온정5밀리그램', '(가나다라염산염)'], [10, 8]],
    ['with the colour of what it is made of', ['가온연고', '백색바셀린'], [10, 10]],
    ['with its strength', ['가온정암로디핀베실산염', '5mg/1정'], [10, 10]],
  ])('keeps a name that continues below %s', (_, lines, widths) => {
    expect(nameOf(lines, widths).text.text).toBe(lines.join(''));
  });

  it('ends a name if its header announces the text below it, unless it continues', () => {
    const cells = (...names: readonly (readonly string[])[]) =>
      withoutRemarkLines(readTable([['약품명(성분/제조사)'], ...names.map((lines) => [linedCell(lines)])])).cells;
    const [, ...names] = cells(
      ['가온정5밀리그램', '가나다라염산염', '나래제약'],
      ['다솜정10밀리그램(마바', '사아)', '라온제약'],
    );
    expect(names.map(({ text }) => text.text)).toEqual(['가온정5밀리그램', '다솜정10밀리그램(마바사아)']);
  });

  it('keeps a cell whose first line is a sentence: no name is above it', () => {
    expect(nameOf(['12', '식후에 드세요']).text.text).toBe('12식후에 드세요');
  });
});

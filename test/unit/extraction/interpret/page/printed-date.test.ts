import { describe, expect, it } from 'vitest';
import { printedDate } from '../../../../../functions/extraction/domain/interpret/page/printed-date.ts';

const TODAY = '2026-11-27';

function print(text: string, x = 0, y = 0, confidence = 0.99) {
  return { text, confidence, box: { x, y, width: text.length * 10, height: 20 } };
}

const dateOf = (...texts: ReturnType<typeof print>[]) => printedDate({ texts, tables: [] }, TODAY);

describe('the date of a sheet', () => {
  it.each([
    ['behind its label', '교부번호 2022 년 07 월 06 일 제 07618 호', '2022-07-06'],
    [
      'before the number of the prescription, its label misread',
      '고부번회 2020 년 10월 22일 ~제 10005 호',
      '2020-10-22',
    ],
    ['with points', '조제일자 : 2024.3.5', '2024-03-05'],
    ['with strokes', '진료일 2024-12-31', '2024-12-31'],
  ])('is read %s', (_, text, date) => {
    expect(dateOf(print(text))).toBe(date);
  });

  it('is read right of its label', () => {
    expect(dateOf(print('교부연월일 및 번호'), print('2016 년 10 월 14일', 120))).toBe('2016-10-14');
    expect(dateOf(print('교부연월일 및 번호'), print('2016 년 10 월 14일', 120, 60))).toBeNull();
    expect(dateOf(print('교부연월일 및 번호'), print('2016 년 10 월 14일', 900))).toBeNull();
  });

  it.each([
    ['without a label', '2024-12-31'],
    ['of birth', '생년월일 2001-02-03'],
    ['that no month has', '교부번호 2022 년 02 월 30 일 제 07618 호'],
    ['in the future', '교부번호 2027 년 02 월 03 일 제 07618 호'],
    ['inside a longer number', '교부번호 12024-12-311'],
  ])('is not a date %s', (_, text) => {
    expect(dateOf(print(text))).toBeNull();
  });

  it('is unknown where labelled dates differ, or a digit was not read surely', () => {
    expect(dateOf(print('진료일자 2020-12-03'), print('처방일자 2020-12-07', 0, 60))).toBeNull();
    expect(dateOf(print('진료일자 2020-12-03', 0, 0, 0.5))).toBeNull();
  });

  it('is read in a cell of a table', () => {
    const { box, ...text } = print('교부번호 2022년 07월 06일 제 00013 호');
    const cell = { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box, blank: false, text, numeral: null };
    const table = { box, rowCount: 1, columnCount: 1, cells: [cell], bounded: true };
    expect(printedDate({ texts: [], tables: [table] }, TODAY)).toBe('2022-07-06');
  });
});

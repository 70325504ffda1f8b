import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { type CellSpec, pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { template } from '../../../../helpers/prescription-form.ts';
import { DRUGS, drugLinesOf, LINES } from '../../../../helpers/printed-form.ts';

describe('a screen of orders', () => {
  const screen = (
    rows: readonly (readonly CellSpec[])[],
    header = ['순', '보험코드', '명칭', '1회투약량', '횟수', '일수'],
  ) => interpretPage(pageReading([readTable([header, ...rows])]), template);
  const ORDERS = DRUGS.map(([code, name, ...numbers], i) => [`${i + 1}`, code, name, ...numbers]);

  it('has diagnoses and remarks among the drugs, which are not lost lines', () => {
    const page = screen([
      ...ORDERS.slice(0, 2),
      ['3', 'M79.198', '기타 근통, 상세불명 부분', '', '', ''],
      ['', '', '금주 요망', '', '', ''],
      ORDERS[2]!,
    ]);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.unreadRows).toEqual([]);
  });

  it('has fees among the drugs, also such as are named like injections', () => {
    const fees = [
      ['8', 'MM010', '피하 또는 근육내주사', '1', '1', '1'],
      ['9', '', '재진진찰료-의원', '1', '1', '1'],
      ['10', 'KK10', '흥브(지정서촤아여1', '1', '1', '1'],
    ];
    expect(drugLinesOf(screen([...ORDERS, ...fees]))).toEqual(LINES);
  });

  it('has fees among the drugs whose codes a narrow column cuts off, or with a letter read as a digit', () => {
    const fees = [
      ['8', 'MMO', '피하 또는 근육내주사', '1', '1', '1'],
      ['9', '00002020', '일반혈액검사', '1', '1', '1'],
      ['10', '', 'MM01 피하 또는 근육내주사', '1', '1', '1'],
      ['11', '', 'MMO 심층열치료', '1', '1', '1'],
    ];
    expect(drugLinesOf(screen([...ORDERS, ...fees]))).toEqual(LINES);
    const drug = ['12', 'MMO', '라온주사', '1', '1', '2'];
    expect(drugLinesOf(screen([...ORDERS, drug]))).toHaveLength(LINES.length + 1);
  });

  it('keeps an old code of a letter and eight digits', () => {
    expect(drugLinesOf(screen([...ORDERS, ['4', 'A12345678', '라온주사', '1', '1', '2']]))?.at(-1)).toEqual([
      'A12345678',
      '라온주사',
      1,
      2,
    ]);
  });

  it('takes no flags for the prescribed quantity', () => {
    const flags = ['3', '원외', '1', '원외'];
    const rows = [...ORDERS, ['4', '653100240', '라온정', '1', '1', '3']].map((row, i) => [...row, flags[i]!]);
    const page = screen(rows, ['순', '보험코드', '명칭', '1회투약량', '횟수', '일수', '내익구분']);
    expect(page.table!.columns.has('prescribedQty')).toBe(false);
  });

  it('reads whole numbers with the decimals that programs print, and a dose that fills their width', () => {
    const rows = ORDERS.map(([serial, code, name], i) => [
      serial!,
      code!,
      name!,
      ['1.0000', '0.5000', '100.000'][i]!,
      '3.00',
      '14.0000',
    ]);
    expect(drugLinesOf(screen(rows))?.map(([, , quantity, days]) => [quantity, days])).toEqual([
      [1, 14],
      [0.5, 14],
      [100, 14],
    ]);
  });

  it('may have lists with different columns, which are judged separately', () => {
    const claim = [
      ['보험코드', '명칭', '단가', '1회투약량', '일수', '금액'],
      ['642100010', '마루정5mg', '100', '1', '3', '300'],
      ['642100020', '바람정5mg', '50', '2', '3', '300'],
    ];
    const orders = [['순', '보험코드', '명칭', '1회투약량', '횟수', '일수'], ...ORDERS];
    const page = interpretPage(pageReading([readTable(claim), readTable(orders)]), template);
    expect(page.lists.map(({ lines, columns }) => [lines.length, columns.has('unitPrice')])).toEqual([
      [2, true],
      [3, false],
    ]);
    expect(page.table!.lines).toHaveLength(5);
  });
});

import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { drugLinesOf, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

it('a header for codes and names over both of their columns names the one without codes', () => {
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

it('times a day that equal the dose on most lines are not a total where nothing says so', () => {
  const table = readTable([
    ['645501290', '가온정5mg', '1', '1', '14', '식후 30분'],
    ['071602520', '나래캡슐', '1', '2', '14', '식후 30분'],
    ['668502440', '다라시럽', '1', '2', '14', '식후 30분'],
    ['645501300', '마루정', '1', '1', '14', '식후 30분'],
    ['645501310', '바다정', '1', '1', '2', '식후 30분'],
  ]);
  const { columns } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect([...columns]).not.toContain('prescribedQty');
});

it('the dose of a day before that of a time is not a total of a list without a header', () => {
  const table = readTable([
    ['645501290', '가온정5mg', '3', '1', '3', '3'],
    ['071602520', '나래캡슐', '1', '1', '1', '10'],
    ['668502440', '다라시럽', '3', '0.75', '4', '3'],
    ['645501300', '마루정', '1', '0.3333', '3', '30'],
    ['645501310', '바다정', '1.5', '0.75', '2', '3'],
  ]);
  const { columns } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect([...columns]).toEqual(expect.arrayContaining(['quantity', 'timesPerDay', 'days']));
  expect([...columns]).not.toContain('prescribedQty');
});

it('a prescription whose header was not read has its numbers in the order of all forms, and no word for how to take the drug is one', () => {
  const print = (text: string, x: number, y: number): Printed => [text, x, y];
  const page = printedForm(
    [],
    [
      print('처방전', 420, 20),
      ...[
        ['640500010 가온정5밀리그램', '1', '1', '14'],
        ['653100230 나래캡슐200mg', '1', '2', '14'],
        ['651700430 다솜정10mg', '1', '2', '14'],
      ].flatMap(([drug, ...numbers], row) => [
        print(drug!, 100, 200 + 40 * row),
        ...numbers.map((number, index) => print(number, 500 + 80 * index, 200 + 40 * row)),
        print('식후 30분', 730, 200 + 40 * row),
      ]),
    ],
  );
  expect(drugLinesOf(interpretPage(page, findTemplate('default')!))).toEqual([
    ['640500010', '가온정5밀리그램', 1, 14],
    ['653100230', '나래캡슐200mg', 1, 14],
    ['651700430', '다솜정10mg', 1, 14],
  ]);
});

it('codes that the list below the only readable header leaves out are a separate list, in the usual order', () => {
  const table = readTable(
    [
      ['번호', '★ 바 이', '1 고', '2 호', '총 투여일수', '번호', '★ 바 이', '1회투약량', '2 호', '총 투여일수'],
      ['1', '640500010 가온정5mg/1정', '2', '1', '5', '8', '', '0.5', '4', '7'],
      ['2', '653100230 나래연질캡슐400mg/', '0.25', '3', '5', '', '', '', '', ''],
      ['3', '651700430 다솜서방캡슐0.4mg/1', '1', '2', '30', '', '', '', '', ''],
    ].map((row) =>
      row.map((text) => (/[가-힣]/.test(text) && /^\d{9}/.test(text) ? { text, numeral: text.slice(0, 9) } : text)),
    ),
  );
  const cells = table.cells.map((cell) => ({
    ...cell,
    lines: cell.blank
      ? []
      : [
          {
            ...cell.text,
            numeral: cell.numeral,
            box: { ...cell.box, x: cell.box.x + 20, y: cell.box.y + 2, width: 8 * cell.text.text.length, height: 16 },
          },
        ],
  }));
  const page = pageReading([{ ...table, cells }], ['처방전']);
  expect(drugLinesOf(interpretPage(page, findTemplate('default')!))).toEqual([
    ['640500010', '가온정5mg/1정', 2, 5],
    ['653100230', '나래연질캡슐400mg/', 0.25, 5],
    ['651700430', '다솜서방캡슐0.4mg/1', 1, 30],
  ]);
});

it('times a day that are the product of dose and days on some lines alone are not a total', () => {
  const table = readTable([
    ['처방의약품의 명칭', '1회투약량', '프포스', '주', '급여구분'],
    ['076301050 가온정5밀리그램', '0.3', '4', '2', ''],
    ['688602240 나래정2.5밀리그램', '1', '2', '5', ''],
    ['063802720 다솜캡슐100/150밀리그램', '1.5', '3', '2', 'A'],
    ['063801460 라온캡슐500밀리그램', '1', '2', '2', ''],
    ['078502490 마루정6.25마이크로그램', '0.5', '1', '2', ''],
    ['643503660 바다주4단위', '1', '1', '1', ''],
  ]);
  const { lines } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect(
    lines.map(({ timesPerDay, days, prescribedQty }) => [timesPerDay.value, days.value, prescribedQty.value]),
  ).toEqual(
    [
      [4, 2],
      [2, 5],
      [3, 2],
      [2, 2],
      [1, 2],
      [1, 1],
    ].map((counts) => [...counts, null]),
  );
});

it('words right behind codes without a header are names, though the header of the codes is over them', () => {
  const table = readTable([
    ['', '코드', '품목 총투약량', '단가(원)', '금액(원)'],
    ['642301110', '가온정 100mg', '90', '117', '10,530'],
    ['646500940', '나래정 15mg', '60', '398', '23,880'],
    ['657900200', '다솜연질캡슐', '30', '732', '21,960'],
  ]);
  expect(
    drugLinesOf(interpretPage(pageReading([table]), findTemplate('default')!))?.map(([code, name]) => [code, name]),
  ).toEqual([
    ['642301110', '가온정 100mg'],
    ['646500940', '나래정 15mg'],
    ['657900200', '다솜연질캡슐'],
  ]);
});

it('times a day that rise by one from row to row are not serial numbers', () => {
  const table = readTable([
    ['처방의약품의 명칭 및 코드', '1회투약량', '톡', '2', '용법'],
    ['640500010 가온정5mg', '1.5', '2', '28', '식후'],
    ['653100230 나래캡슐200mg', '0.75', '3', '30', ''],
    ['651700430 다솜정10mg', '0.6667', '4', '28', ''],
  ]);
  expect(drugLinesOf(interpretPage(pageReading([table]), findTemplate('default')!))).toEqual([
    ['640500010', '가온정5mg', 1.5, 28],
    ['653100230', '나래캡슐200mg', 0.75, 30],
    ['651700430', '다솜정10mg', 0.6667, 28],
  ]);
});

it('a header that is rather 투여일수 than 투여횟수, but neither, does not make days of the numbers before others', () => {
  const table = readTable([
    ['처방의약품의 명칭 및 코드', '1회투약량', '투여필수', '특즘', '용법'],
    ['640500010 가온정5mg', '1', '1', '2', '식후'],
    ['653100230 나래캡슐200mg', '1', '4', '7', ''],
    ['651700430 다솜정10mg', '2', '3', '7', ''],
  ]);
  const { table: found } = interpretPage(pageReading([table]), findTemplate('default')!);
  expect(found!.lines.map(({ timesPerDay, days }) => [timesPerDay.value, days.value])).toEqual([
    [1, 2],
    [4, 7],
    [3, 7],
  ]);
  expect([...found!.inferredColumns]).toEqual(expect.arrayContaining(['timesPerDay', 'days']));
});

it('doses that were read without sureness are numbers all the same', () => {
  const unsure = (text: string) => ({ text, confidence: 0.01 });
  const table = readTable([
    ['640500010 가온정5mg', unsure('0.5000'), '2', '30'],
    ['653100230 나래캡슐200mg', unsure('1.0000'), '2', '30'],
    ['651700430 다솜정10mg', unsure('1.0000'), '1', '10'],
  ]);
  expect(drugLinesOf(interpretPage(pageReading([table], ['처방전']), findTemplate('default')!))).toEqual([
    ['640500010', '가온정5mg', 0.5, 30],
    ['653100230', '나래캡슐200mg', 1, 30],
    ['651700430', '다솜정10mg', 1, 10],
  ]);
});

it('a word that resembles a header announces nothing surely next to a column like its own without one', () => {
  const table = readTable([
    ['보험코드', '약품명', '단가', '', '입원일수', '금액'],
    ['640500010', '가온정5밀리그램', '100', '7', '2', '1,400'],
    ['653100230', '나래캡슐200mg', '200', '5', '3', '3,000'],
    ['651700430', '다솜정10mg', '300', '14', '1', '4,200'],
  ]);
  const { inferredColumns } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect([inferredColumns.has('quantity'), inferredColumns.has('days')]).toEqual([true, true]);
});

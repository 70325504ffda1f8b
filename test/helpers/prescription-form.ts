import { interpretPage } from '../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../functions/extraction/domain/templates.ts';
import { DRUGS, type FormCell, type Printed, printedForm } from './printed-form.ts';

export const template = findTemplate('default')!;

/** Sides of the form's columns: name, a dose, times a day, days, directions. */
export const SIDES = [60, 460, 530, 600, 680, 980] as const;
export const HEADER: readonly (readonly Printed[])[] = [
  [['처방의약품의 명칭(및 코드)', 100, 412]],
  [
    ['1 회', 470, 404],
    ['투약량', 470, 422],
  ],
  [
    ['1일', 540, 404],
    ['투여횟수', 540, 422],
  ],
  [
    ['총', 610, 404],
    ['투약일수', 610, 422],
  ],
  [['용법', 780, 412]],
];
export const ABOVE: readonly FormCell[] = [
  { box: [60, 40, 980, 120], prints: [['처방전', 440, 70]], row: 0, columnSpan: 5 },
  { box: [60, 120, 460, 150], prints: [['교부번호 2026년 01월 05일 제 00085호', 70, 126]], row: 1 },
  { box: [60, 150, 460, 190], prints: [['질병분류기호', 70, 160]], row: 2 },
  { box: [60, 190, 980, 400], prints: [['환자의 요구가 있을 때에는 적지 않습니다', 70, 380]], row: 3, columnSpan: 5 },
];

export function cellsAt(row: number, top: number, bottom: number, prints: readonly (readonly Printed[])[]): FormCell[] {
  return prints.map((own, column) => {
    return { box: [SIDES[column]!, top, SIDES[column + 1]!, bottom], prints: own, row, column };
  });
}

export function form(body: readonly FormCell[]) {
  return interpretPage(printedForm([...ABOVE, ...cellsAt(4, 400, 445, HEADER), ...body]), template);
}

export function drugPrints([code, name, ...numbers]: readonly string[], y: number): readonly (readonly Printed[])[] {
  return [[[`${code} ${name}`, 70, y]], ...numbers.map((number, i): Printed[] => [[number, SIDES[i + 1]! + 20, y]])];
}

export const REMARKS: FormCell = {
  box: [680, 445, 980, 800],
  prints: DRUGS.map(([code], i): Printed => [`${code}, 사유코드: A`, 700, 600 + 20 * i]),
  row: 5,
  column: 4,
};

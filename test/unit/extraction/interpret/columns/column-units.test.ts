import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

function dosesOf(header: readonly CellSpec[], ...rows: (readonly CellSpec[])[]) {
  const body = rows.map((numbers, n) => [`64050001${n}`, `가온정${n}밀리그램`, ...numbers]);
  const page = interpretPage(pageReading([readTable([['약품코드', '약품명', ...header], ...body])]), template);
  return page.table?.lines.map(({ quantity, timesPerDay, days }) => [quantity.value, timesPerDay.value, days.value]);
}

describe('columns whose cells print units', () => {
  it('are what these say where their headers were read as one, or over the next column', () => {
    expect(dosesOf(['1회량 횟수 일수', '', ''], ['15mL', '3회', '14일'], ['0.5정', '2회', '7일분'])).toEqual([
      [15, 3, 14],
      [0.5, 2, 7],
    ]);
    expect(dosesOf(['일수', '', ''], ['15mL', '3회', '14일'], ['0.5정', '2회', '7일분'])).toEqual([
      [15, 3, 14],
      [0.5, 2, 7],
    ]);
  });

  it('hold nothing that their header says and their units do not', () => {
    expect(dosesOf(['1회량', '횟수', '일수'], ['1', '3', '14정'], ['2', '2', '7정'])).toEqual([
      [1, 3, null],
      [2, 2, null],
    ]);
  });

  it('are what their headers say where not all cells print one unit', () => {
    expect(dosesOf(['1회량', '횟수', '일수'], ['1', '3', '14일'], ['0.5정', '2', '7'])).toEqual([
      [1, 3, 14],
      [0.5, 2, 7],
    ]);
  });
});

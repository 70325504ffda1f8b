import type { Pass } from '../pass.ts';
import type { ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { splitCodeColumn } from './columns/split-code-column.ts';
import { splitDoseColumn } from './columns/split-dose-column.ts';
import { splitNumberColumns } from './columns/split-number-column.ts';
import { splitStackedDose } from './columns/split-stacked-dose.ts';
import { splitTimesOfDay } from './columns/split-times-of-day.ts';
import { withoutPartEnds } from './lists/part-ends.ts';
import { withoutRemarkLines } from './lists/remark-lines.ts';
import { withoutNoiseLines } from './names/noise-lines.ts';
import { withoutDirections } from './numbers/directed-doses.ts';

/** Corrections of a table as it was read, before its columns are recognised. */
export const TABLE_PASSES: readonly Pass<ReadTable, Template>[] = [
  {
    name: 'withoutDirections',
    why: 'Cells print a dose and, below it, when to take it.',
    run: withoutDirections,
  },
  {
    name: 'withoutPartEnds',
    why: 'A phrase closes a part of the list, and rows below it belong to other parts of the form.',
    run: withoutPartEnds,
  },
  {
    name: 'withoutNoiseLines',
    why: 'Specks and strokes are read as lines of a name.',
    run: withoutNoiseLines,
  },
  {
    name: 'withoutRemarkLines',
    why: 'Guides print indications and warnings below a name in the same cell.',
    // A speck between the name and its remark would hide where the remark begins.
    after: ['withoutNoiseLines'],
    run: withoutRemarkLines,
  },
  {
    name: 'splitCodeColumn',
    why: 'Codes and names are read as one column where only a blank or a line end parts them.',
    // Extra lines in a cell are neither its code nor its name.
    after: ['withoutNoiseLines', 'withoutRemarkLines'],
    run: splitCodeColumn,
  },
  {
    name: 'splitNumberColumns',
    why: 'Two columns of numbers are read as one where the rule between them was not seen.',
    // Directions below the doses would look like a second column.
    after: ['withoutDirections'],
    run: splitNumberColumns,
  },
  {
    name: 'splitStackedDose',
    why: "Notices of an insurer's review print the dose above the times a day in one cell.",
    // Two columns read as one show two numbers in a cell as well.
    after: ['withoutDirections', 'splitNumberColumns'],
    run: splitStackedDose,
  },
  {
    name: 'splitTimesOfDay',
    why: 'Wards print the doses of a day in one column, 1-0-1.',
    run: splitTimesOfDay,
  },
  {
    name: 'splitDoseColumn',
    why: 'Some forms print dose, times a day and days in one column.',
    // Both make columns of one that could pass for such a dose.
    after: ['splitStackedDose', 'splitTimesOfDay'],
    run: splitDoseColumn,
  },
];

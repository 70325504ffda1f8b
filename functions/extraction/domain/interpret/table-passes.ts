import type { Pass } from '../pass.ts';
import type { ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { splitTimesOfDay } from './columns/split-times-of-day.ts';
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
    name: 'withoutNoiseLines',
    why: 'Specks and strokes are read as lines of a name.',
    run: withoutNoiseLines,
  },
  {
    name: 'withoutRemarkLines',
    why: 'Guides print indications and warnings below a name in the same cell.',
    // A speck between the name and its remark would hide where the remark starts.
    after: ['withoutNoiseLines'],
    run: withoutRemarkLines,
  },
  {
    name: 'splitTimesOfDay',
    why: 'Wards print the doses of a day in one column, 1-0-1.',
    run: splitTimesOfDay,
  },
];

import type { Pass } from '../../pass.ts';
import type { InterpretedTable } from '../interpret-table.ts';
import { withoutDated, withoutFees, withoutRemarks } from './other-lines.ts';

/** Corrections of a table's lines: lines of other kinds go. */
export const LIST_PASSES: readonly Pass<InterpretedTable>[] = [
  { name: 'withoutFees', why: 'Claims list fees between the drugs.', run: withoutFees },
  {
    name: 'withoutRemarks',
    why: 'Remarks on interactions name codes of the list again.',
    run: withoutRemarks,
  },
  {
    name: 'withoutDated',
    why: 'Lists of visits and diagnoses share the grid.',
    // Dated fees are fees.
    after: ['withoutFees'],
    run: withoutDated,
  },
];

import type { Pass } from '../../pass.ts';
import { withoutDailyDose } from '../doses/daily-dose.ts';
import type { Grid } from '../grid.ts';
import { withDisplacedHeaders } from '../headers/displaced-headers.ts';
import { type ColumnEvidence, withoutSecondary } from './column-evidence.ts';

/** The rows that the evidence was gathered from. */
export interface EvidenceRows {
  readonly grid: Grid;
  readonly lines: readonly number[];
}

/** Corrections of what headers announce, before fields are assigned to columns. */
export const EVIDENCE_PASSES: readonly Pass<readonly ColumnEvidence[], EvidenceRows>[] = [
  {
    name: 'withDisplacedHeaders',
    why: 'A centred header far from the numbers below it was taken for another column.',
    run: (columns, { grid, lines }) => withDisplacedHeaders(columns, grid, lines),
  },
  {
    name: 'withoutSecondary',
    why: 'Two headers name one field, one of them less exactly.',
    after: ['withDisplacedHeaders'],
    run: withoutSecondary,
  },
  {
    name: 'withoutDailyDose',
    why: 'Some forms print both the dose of a day and the dose of a time, under similar headers.',
    // A header that was left to a better one announces no dose any more.
    after: ['withoutSecondary'],
    run: withoutDailyDose,
  },
];

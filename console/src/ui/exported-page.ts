import type { Decisions, Extraction } from '../pages/review/decisions.ts';

/** An extraction whose lines are exported, with the decisions on them. */
export interface ExportedPage {
  readonly extraction: Extraction;
  readonly decisions: Decisions;
}

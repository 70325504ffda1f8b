import type { Rect } from '../../truth.ts';
import type { FormPlan } from './form-plan.ts';

/** Positions of the table's columns, or of one half's; the usage column takes the rest. */
export interface Columns {
  readonly left: number;
  readonly right: number;
  /** Numbers of the list. */
  readonly serial: Rect | null;
  readonly name: Rect;
  readonly code: Rect | null;
  readonly doses: readonly (FormPlan['columns'][number] & { readonly x: number; readonly px: number })[];
  readonly usageX: number;
}

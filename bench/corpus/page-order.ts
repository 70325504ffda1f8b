import type { Condition } from './condition.ts';
import type { WantedVariant } from './forms/prescription/variants/variant.ts';
import type { PageClass, Split } from './truth.ts';

export interface PageOrder {
  readonly split: Split;
  readonly class: PageClass;
  readonly seed: number;
  /** From 0; the page's place in its class. */
  readonly index: number;
  /** Given to every page of a run. */
  readonly condition?: Condition;
  /** Given to every page of a run of prescriptions; absent: drawn for each page. */
  readonly variant?: WantedVariant;
}

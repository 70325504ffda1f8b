import type { LineRecogniser } from './line-recogniser.ts';
import type { LayoutFinder } from './structure/layout.ts';

/** The models that see a page. */
export interface PageModels {
  readonly recogniser: LineRecogniser;
  /** Absent: rules are found by their pixels alone, which is enough to tell lines of text apart. */
  readonly layouts?: LayoutFinder | undefined;
}

import type { LineRecogniser } from './line-recogniser.ts';
import type { LayoutFinder } from './structure/layout.ts';

/** The models that see a page. */
export interface PageModels {
  readonly recogniser: LineRecogniser;
  readonly layouts: LayoutFinder;
}

import type { Drawing, TextStyle } from '../../drawing/drawing.ts';
import type { Random } from '../../random.ts';
import type { GridStyle } from './screen-grid.ts';

/** Everything that the blocks of a window need. */
export interface Window {
  readonly random: Random;
  readonly drawing: Drawing;
  readonly style: GridStyle;
  readonly text: TextStyle;
  readonly accent: string;
}

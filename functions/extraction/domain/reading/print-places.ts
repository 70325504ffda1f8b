import type { LineReading } from './line-recogniser.ts';
import { doubtedReading } from './reading-parts.ts';
import { printOnColumnRule } from './structure/cells/on-column-rule.ts';
import { mayHaveLostPoint, wholePrint } from './structure/cells/print-on-rules.ts';
import type { PageStructure } from './structure/find-tables.ts';
import type { Component } from './structure/ink/components.ts';
import { isArc, isCrossed, isForeign, isMarked } from './structure/ink/foreign-ink.ts';
import { contains, type Extent } from './structure/tables/grid.ts';
import type { Box, Reading, ReadPiece } from './table-reader.ts';

/** In heights of a line: a digit is no wider. */
const WIDE_DIGIT = 2;

/** A line or a piece of one. */
export interface Printed extends Extent {
  readonly crossed: boolean;
  /** Including the ends of letters on or beyond the rule that they are printed on; null if no rule is near. */
  readonly whole: Extent | null;
  /** Whether that is a rule down the page, at its first or its last letter. */
  readonly onColumnRule: boolean;
  /** Where a stroke may have made one piece of a number and itself. */
  readonly struck?: boolean;
}

/** Ink that is not print of the page. */
export function foreignIn({ components, letterHeight }: PageStructure): readonly Component[] {
  return components.filter((part) => isForeign(part, letterHeight) || isArc(part, letterHeight));
}

/** A place with print, and what crosses it. */
export function printed(
  extent: Extent,
  parts: readonly Component[],
  foreign: readonly Component[],
  structure: PageStructure,
): Printed {
  const own = parts.filter((part) => contains(extent, part) && !isForeign(part, structure.letterHeight));
  const onColumnRule = printOnColumnRule(extent, structure);
  const crossed =
    onColumnRule !== null ||
    isCrossed(extent, own, foreign, structure) ||
    isMarked(extent, structure) ||
    mayHaveLostPoint(own, structure);
  const onRowRule = wholePrint(extent, structure);
  return {
    ...extent,
    crossed,
    whole: onRowRule ?? onColumnRule,
    onColumnRule: onRowRule === null && onColumnRule !== null,
  };
}

export function lengthOf({ left, top, right, bottom }: Extent): number {
  return (right - left) / (bottom - top);
}

export function toPiece({ text, numeral }: LineReading, extent: Printed): ReadPiece {
  // A stroke is next to it, or is all that was read.
  const isWide = /^\d$/.test(text.text) && lengthOf(extent) > WIDE_DIGIT;
  const shown = (reading: Reading) => (isWide ? doubtedReading(reading) : reading);
  const crossed = extent.crossed || isWide;
  return { ...shown(text), numeral: shown(numeral), box: toBox(extent), ...(crossed ? { crossed } : {}) };
}

export function toBox({ left, top, right, bottom }: Extent): Box {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function toExtent({ x, y, width, height }: Box): Extent {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

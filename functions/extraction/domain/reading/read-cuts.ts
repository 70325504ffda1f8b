import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { lookAgain } from './look-again.ts';
import { withWholeCodes } from './odd-codes.ts';
import { lengthOf, type Printed } from './print-places.ts';
import { cutLine, cutUnderMarks } from './structure/cells/cell-lines.ts';
import { cutOnRule } from './structure/cells/print-on-rules.ts';
import type { PageStructure } from './structure/find-tables.ts';
import { isMarked } from './structure/ink/foreign-ink.ts';
import type { Extent } from './structure/tables/grid.ts';
import { readingOnColumnRule, surerReading } from './surer-reading.ts';

/**
 * Limit of all second readings together, in line heights: a few seconds of a core. A form that prints every row on a rule needs half of
 * it.
 */
const MAX_SECOND_LENGTH = 1_250;

/** A place that is read, cut out of the page without rules and marks; and with what of them it may share, where it does. */
export interface Cut {
  readonly clean: LineImage;
  readonly again: {
    /** In heights of the line. */
    readonly length: number;
    readonly cut: () => LineImage;
    readonly join: (clean: LineReading, again: LineReading) => LineReading;
  } | null;
}

export function cutPrint(print: Printed, within: Extent, structure: PageStructure): Cut {
  const { whole, onColumnRule } = print;
  if (whole === null) return { clean: cutLine(print, within, structure), again: underMarks(print, within, structure) };
  const join = onColumnRule ? readingOnColumnRule : surerAs(print);
  const again = { length: lengthOf(whole), cut: () => cutOnRule(whole, structure), join };
  return { clean: cutLine(print, within, structure), again };
}

function underMarks(print: Extent, within: Extent, structure: PageStructure): Cut['again'] {
  if (!isMarked(print, structure)) return null;
  return { length: lengthOf(print), cut: () => cutUnderMarks(print, within, structure), join: surerAs(print) };
}

function surerAs(print: Extent): NonNullable<Cut['again']>['join'] {
  return (clean, again) => surerReading(clean, again, lengthOf(print));
}

/** One reading per place. Second readings run in a separate call: a page is never refused for them. */
export async function readCuts(cuts: readonly Cut[], recogniser: LineRecogniser): Promise<readonly LineReading[]> {
  const readings = [...(await recogniser.recognise(cuts.map(({ clean }) => clean)))];
  const twice = readTwice(cuts);
  const second = await readShared(twice, recogniser);
  twice.forEach(({ index, join }, n) => {
    readings[index] = join(readings[index]!, second[n]!);
  });
  const once = cuts.map(({ clean, again }) => (again === null ? clean : null));
  const looked = await lookAgain(once, readings, recogniser);
  return withWholeCodes(
    cuts.map(({ clean }) => clean),
    looked,
    recogniser,
  );
}

function readShared(
  cuts: readonly NonNullable<Cut['again']>[],
  recogniser: LineRecogniser,
): Promise<readonly LineReading[]> {
  return recogniser.recognise(cuts.map(({ cut }) => cut()));
}

/** The places that are read again, as many as are worth their time. */
function readTwice(cuts: readonly Cut[]): readonly (NonNullable<Cut['again']> & { readonly index: number })[] {
  let length = 0;
  return cuts.flatMap(({ again }, index) => {
    if (again === null) return [];
    length += again.length;
    return length <= MAX_SECOND_LENGTH ? [{ ...again, index }] : [];
  });
}

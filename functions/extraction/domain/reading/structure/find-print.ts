import type { Raster } from '../raster.ts';
import { type Component, findComponents } from './ink/components.ts';
import { findInk, type Ink } from './ink/ink.ts';
import { invertTextBands } from './ink/inverse-text-bands.ts';
import { withoutNarrowShadows } from './ink/narrow-shadows.ts';
import { type EvenPage, normaliseIllumination } from './ink/normalise-illumination.ts';
import type { Extent } from './tables/grid.ts';
import { bodyHeight, findWords, type Word } from './tables/words.ts';

/** A page's ink, ruled lines included: enough to find its words and its layout. */
export interface Print {
  /** The page with even, white paper, and all print darker than it. */
  readonly clean: EvenPage;
  readonly ink: Ink;
  /** Height of the letters that most of the page is set in, pixels. */
  readonly letterHeight: number;
  /** Pieces of ink. */
  readonly components: readonly Component[];
  /** Dark fills, whose light letters are dark on light now. */
  readonly bands: readonly Extent[];
  /** 1 for every pixel from which a pen's stroke or a seal was taken out; absent where none was. */
  readonly marks?: Uint8Array;
}

/** @returns null if the page has too few letters for a text. */
export function findPrint(original: Raster): Print | null {
  const marks = original.marks && { marks: original.marks };
  const lit = withoutNarrowShadows(original, reachOf(original));
  const rough = evenPrint(lit);
  const letterHeight = bodyHeight(rough.components);
  if (letterHeight === null) return null;
  const { page, bands } = invertTextBands(lit, letterHeight);
  return { ...(bands.length > 0 ? evenPrint(page) : rough), letterHeight, bands, ...marks };
}

/** The print in words; where rules touch letters, these are in none. */
export function wordsOf({ components, letterHeight }: Print): readonly Word[] {
  return findWords(components, letterHeight);
}

function evenPrint(page: Raster): Pick<Print, 'clean' | 'ink' | 'components'> {
  const clean = normaliseIllumination(page, reachOf(page));
  const ink = findInk(clean);
  return { clean, ink, components: findComponents(ink) };
}

/** Pixels: dark structures thinner than this are print. */
function reachOf({ width }: Raster): number {
  return Math.max(15, Math.round(width / 50));
}

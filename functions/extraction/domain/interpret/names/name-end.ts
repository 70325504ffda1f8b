import type { NameEnd } from '../../drug-line.ts';
import type { ReadCell, ReadLine } from '../../reading/table-reader.ts';
import { displayWidth } from '../../text/display-width.ts';

/** In heights of a line: less room than this behind a name, and another letter of it has no place. */
const LETTER_ROOM = 1.2;

export function fillsColumn(cell: ReadCell | undefined): boolean {
  const last = cell?.lines?.at(-1)?.box;
  return last !== undefined && cell!.box.x + cell!.box.width - last.x - last.width < LETTER_ROOM * last.height;
}

/** Whether the last of several lines ends before another of them does: a column that cuts names of several lines cuts the last at their width. */
export function endsBeforeOthers(cell: ReadCell | undefined): boolean {
  const boxes = cell?.lines?.map(({ box }) => box) ?? [];
  const last = boxes.at(-1);
  if (last === undefined) return false;
  const furthest = Math.max(...boxes.map(({ x, width }) => x + width));
  return furthest - last.x - last.width >= LETTER_ROOM * last.height;
}

/** In line heights: maximum distance of letters in one word. */
const LETTER_GAP = 0.6;

/** Whether the next cell, which is of no field, starts with letters right behind a name: a border was seen where none is, and cuts the name. */
export function goesOnIn(cell: ReadCell | undefined, next: ReadCell | undefined): boolean {
  const last = cell?.lines?.at(-1)?.box;
  const rest = next?.lines?.[0];
  if (!last || !rest || !/^\p{L}/u.test(rest.text)) return false;
  return rest.box.x - last.x - last.width < LETTER_GAP * last.height;
}

/**
 * Where a name ends. Below a stroke or a seal letters may be hidden, however surely the others are read, and its ink makes the line longer.
 * @param isMarked something was read behind the name that is not a part of it, or is cut off from it.
 */
export function nameEndOf(cell: ReadCell | undefined, isMarked: boolean): NameEnd | null {
  const last = cell?.lines?.at(-1);
  if (last === undefined || last.text === '') return null;
  const { box, crossed } = last;
  return {
    right: box.x + box.width,
    letterWidth: letterWidthOf(last),
    isClear: !isMarked && !crossed,
  };
}

/** Width of a half-width letter of a line, in pixels. */
export function letterWidthOf({ box, text }: ReadLine): number {
  return box.width / displayWidth(text);
}

import type { NameEnd } from '../drug-line.ts';
import type { ReadCell } from '../reading/table-reader.ts';
import { displayWidth } from '../text/display-width.ts';

/** In heights of a line: less room than this behind a name, and another letter of it has no place. */
const LETTER_ROOM = 1.2;

export function fillsColumn(cell: ReadCell | undefined): boolean {
  const last = cell?.lines?.at(-1)?.box;
  return last !== undefined && cell!.box.x + cell!.box.width - last.x - last.width < LETTER_ROOM * last.height;
}

/** A line that is crossed is no doubt of its end where it was read as surely as this. */
const SURELY_READ = 0.8;

/** @param isMarked something was read behind the name that is no part of it. */
export function nameEndOf(cell: ReadCell | undefined, isMarked: boolean): NameEnd | null {
  const last = cell?.lines?.at(-1);
  if (last === undefined || last.text === '') return null;
  const { box, text, crossed, confidence } = last;
  return {
    right: box.x + box.width,
    letterWidth: box.width / displayWidth(text),
    isClear: !isMarked && !(crossed && confidence < SURELY_READ),
  };
}

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

const OVERSCAN = 8;

export interface RowsInSight<List extends HTMLElement> {
  readonly list: RefObject<List | null>;
  /** Of the rows to render. */
  readonly indexes: readonly number[];
  /** Room for the rows above and below those, in pixels. */
  readonly before: number;
  readonly after: number;
  /** Ref of each row, which also needs `data-index`: rows may differ in height. */
  readonly measure: (row: HTMLElement | null) => void;
}

/**
 * Rows of a long list that scrolls with the window: only those in sight are in the document, so that a list of 100,000 scrolls like one of ten.
 * @param onEndInSight called when the last row comes near, to ask for more.
 */
export function useRowsInSight<List extends HTMLElement>({
  count,
  rowHeight,
  onEndInSight,
}: {
  count: number;
  /** As a first guess. */
  rowHeight: number;
  onEndInSight?: () => void;
}): RowsInSight<List> {
  const list = useRef<List>(null);
  const [top, setTop] = useState(0);
  // Content above the list may have become taller.
  useLayoutEffect(() => {
    if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
  });
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
    onChange: ({ range }) => {
      if (range && range.endIndex >= count - 2 * OVERSCAN) onEndInSight?.();
    },
  });
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    list,
    indexes: shown.map(({ index }) => index),
    before: first ? first.start - top : 0,
    after: last ? rows.getTotalSize() - (last.end - top) : 0,
    measure: rows.measureElement,
  };
}

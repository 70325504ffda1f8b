import type { ReactNode } from 'react';
import { useT } from '../texts/i18n.ts';
import { Scroll } from './controls.tsx';

export interface Column<Row> {
  /** Null: a column of buttons, named for screen readers alone. */
  readonly title: string | null;
  readonly cell: (row: Row) => ReactNode;
  /** number: to the right, with digits of one width; fixed: never broken into lines. */
  readonly kind?: 'text' | 'number' | 'fixed';
}

/** A table of a few hundred rows at most. Longer lists keep only the rows in sight: see `rows-in-sight.ts`. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  empty,
}: {
  label: string;
  columns: readonly Column<Row>[];
  /** undefined: not loaded yet. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Instead of a table without rows. */
  empty?: ReactNode;
}) {
  const t = useT();
  if (rows?.length === 0 && empty !== undefined) return <p className="mt-2 text-muted">{empty}</p>;
  return (
    <Scroll label={label}>
      <table className="table" aria-busy={rows === undefined}>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th key={title ?? ''} className={kind === 'number' ? 'number' : undefined}>
                {title ?? <span className="sr-only">{t('common.actions')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, kind = 'text' }) => (
                <td key={title ?? ''} className={CELLS[kind]}>
                  {title === null ? <div className="flex justify-end gap-2">{cell(row)}</div> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const CELLS = { text: undefined, number: 'number', fixed: 'whitespace-nowrap' } as const;

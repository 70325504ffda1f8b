type Value = string | number | null;
export type Row = readonly Value[];

/** With the mark by which spreadsheets know UTF-8. */
export function csv(rows: readonly Row[]): Blob {
  const text = rows.map((row) => row.map(csvCell).join(',')).join('\r\n');
  return new Blob(['\ufeff', text, '\r\n'], { type: 'text/csv;charset=utf-8' });
}

/** A text that a spreadsheet would take for a formula gets an apostrophe: its source is the scanned page. */
function csvCell(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

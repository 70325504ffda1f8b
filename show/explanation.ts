import type { PageTrace } from '../functions/extraction/domain/explain-page.ts';
import type { RowKind, TableTrace } from '../functions/extraction/domain/interpret/trace.ts';

const VERDICTS: Readonly<Record<TableTrace['verdict'], string>> = {
  drug_table: 'a table of drugs',
  no_lines: 'no table of drugs: none of its rows has a code, or a name with numbers',
  too_little_evidence: 'no table of drugs: too few codes, header words and drug names',
};

/** Sentences on why the page's drugs were found or not: header words, sections and rows of every table considered. */
export function explanationOf({ tables, textCount }: PageTrace): readonly string[] {
  if (tables.length === 0)
    return [`No table of drugs: the page has ${textCount} lines of text, but no grid, and no list below header words.`];
  return tables.map(
    (table, index) =>
      `Table ${index + 1}, ${table.rowCount} rows × ${table.columnCount} columns: ${VERDICTS[table.verdict]} ` +
      `(${table.evidence} points of at least ${table.required}). ${partsOf(table).join('; ')}.`,
  );
}

function partsOf({ headerWords, columns, sections, rows }: TableTrace): readonly string[] {
  const words = headerWords.map(({ text, kind }) => `${text} (${kind})`);
  const fields = columns.map(({ field, inferred }) => (inferred ? `${field} by its values` : field));
  return [
    `Header words: ${list(words)}`,
    `fields: ${list(fields)}`,
    ...(sections.length > 0 ? [`sections: ${list(sections)}`] : []),
    `rows: ${list(countsOf(rows))}`,
  ];
}

function countsOf(rows: readonly RowKind[]): readonly string[] {
  const counts = new Map<RowKind, number>();
  for (const kind of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`);
}

function list(parts: readonly string[]): string {
  return parts.length === 0 ? 'none' : parts.join(', ');
}

import type { PageTrace } from '../functions/extraction/domain/explain-page.ts';
import type { PrintLabel } from '../functions/extraction/domain/interpret/learned/print-labels.ts';
import type { RowKind, TableTrace } from '../functions/extraction/domain/interpret/trace.ts';

/** A label from this chance on is not in doubt. */
const SURE = 0.99;

const VERDICTS: Readonly<Record<TableTrace['verdict'], string>> = {
  drug_table: 'a table of drugs',
  no_lines: 'no table of drugs: none of its rows has a code, or a name with numbers',
  too_little_evidence: 'no table of drugs: too few codes, header words and drug names',
};

/**
 * Sentences on why the page's drugs were found or not: header words, sections and rows of every table that the rules considered, the prints of
 * each line of the network, and whose lines were answered.
 */
export function explanationOf(trace: PageTrace): readonly string[] {
  const lost = trace.lostCodes.length === 0 ? [] : [`Codes that no line has: ${list(trace.lostCodes)}.`];
  return [...byRules(trace), ...byNetwork(trace), ...lost];
}

function byRules({ tables, textCount }: PageTrace): readonly string[] {
  if (tables.length === 0)
    return [`No table of drugs: the page has ${textCount} lines of text, but no grid, and no list below header words.`];
  return tables.map(
    (table, index) =>
      `Table ${index + 1}, ${table.rowCount} rows × ${table.columnCount} columns: ${VERDICTS[table.verdict]} ` +
      `(${table.evidence} points of at least ${table.required}). ${partsOf(table).join('; ')}.`,
  );
}

function byNetwork({ network, answeredBy }: PageTrace): readonly string[] {
  if (network === null) return ['The network was not asked.'];
  if (network.lineCount === 0) return ['The network finds no drugs.'];
  const answer = answeredBy === 'network' ? 'is answered: it proves more' : 'proves no more; the rules are answered';
  const count = network.lineCount === 1 ? '1 line' : `${network.lineCount} lines`;
  const lines = Array.from({ length: network.lineCount }, (_, line) => {
    const labels = network.labels.filter((label) => label.line === line);
    return `Line ${line + 1} of the network: ${list(labels.map(labelText))}.`;
  });
  return [`The network's reading, ${count}, ${answer}.`, ...lines];
}

/** The role, and its chance where it is not sure. */
function labelText({ text, role, chance }: PrintLabel): string {
  return chance < SURE ? `${text} (${role} ${chance.toFixed(2)})` : `${text} (${role})`;
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

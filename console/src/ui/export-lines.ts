import { strToU8, zipSync } from 'fflate';
import { correctedValues, FIELDS, type Value } from '../pages/review/decisions.ts';
import { csv, type Row } from './csv.ts';
import type { ExportedPage } from './exported-page.ts';

interface Options {
  readonly format: 'csv' | 'xlsx';
  readonly content: 'corrected' | 'read' | 'both';
  /** Text of a key. */
  readonly header: (key: string) => string;
}

/** The lines of pages as a file. A rejected line is listed only among those that were read. */
export function exportLines(pages: readonly ExportedPage[], { format, content, header }: Options): Blob {
  const read = FIELDS.map((field) => header(`field.${field}`));
  const corrected = read.map((name) => (content === 'both' ? `${name} (${header('export.corrected')})` : name));
  const rows: Row[] = [
    [
      'extractionId',
      'fileName',
      'reference',
      '#',
      header('export.status'),
      header('export.decision'),
      ...(content === 'corrected' ? [] : read),
      ...(content === 'read' ? [] : corrected),
    ],
  ];
  for (const { extraction, decisions } of pages)
    extraction.items.forEach((item, index) => {
      const decided = decisions.get(index);
      const isLine = decided?.decision !== 'not_a_line';
      if (content === 'corrected' && !isLine) return;
      const values = correctedValues(item, decided);
      rows.push([
        extraction.extractionId,
        extraction.fileName,
        extraction.reference,
        index + 1,
        item.status,
        decided?.decision ?? null,
        ...(content === 'corrected' ? [] : FIELDS.map((field) => item[field])),
        ...(content === 'read' ? [] : FIELDS.map((field) => (isLine ? values[field] : null))),
      ]);
    });
  return format === 'csv' ? csv(rows) : xlsx(rows);
}

/**
 * People's decisions about lines, as examples for training a reader: one JSON object a line. It leaves the workspace only as a file that
 * a user requests.
 */
export function trainingData(pages: readonly ExportedPage[]): Blob {
  const examples = pages.flatMap(({ extraction: { extractionId, items, places, geometry }, decisions }) =>
    [...decisions].map(([index, decided]) => {
      const item = items[index]!;
      const read = Object.fromEntries(FIELDS.map((field) => [field, item[field]]));
      const corrected = decided.decision === 'not_a_line' ? null : correctedValues(item, decided);
      const { decision } = decided;
      const cells = places?.[index] ?? null;
      return { extractionId, index, decision, read, corrected, notes: item.review, cells, picture: geometry.source };
    }),
  );
  return new Blob(
    examples.map((example) => `${JSON.stringify(example)}\n`),
    { type: 'application/jsonl' },
  );
}

/** A minimal workbook: one sheet with texts in its cells. */
export function xlsx(rows: readonly Row[]): Blob {
  const xml = (body: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const document = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const sheet = rows
    .map(
      (row, at) =>
        `<row r="${at + 1}">${row.map((value, column) => xlsxCell(value, `${letters(column)}${at + 1}`)).join('')}</row>`,
    )
    .join('');
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const bytes = zipSync({
    '[Content_Types].xml': xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${document}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${document}"><sheets><sheet name="Lines" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${document}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': xml(`<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`),
  });
  return new Blob([bytes as Uint8Array<ArrayBuffer>], {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  });
}

function xlsxCell(value: Value, place: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
  // Characters that XML cannot have.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out.
  const text = value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/** A, B, … Z, AA, … */
function letters(column: number): string {
  return (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
}

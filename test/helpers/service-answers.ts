import type { ConverseResponse } from '@aws-sdk/client-bedrock-runtime';
import type { Block } from '@aws-sdk/client-textract';
import type { PageTruth } from '../../bench/corpus/truth.ts';

/** Answers of AWS services to fixture pages, made from the pages' truth in the form of recorded ones. */

const HANGUL = /[가-힣]/;

/**
 * AnalyzeDocument's answer for an upright and straight page. It reads Korean as Latin.
 * @param change other texts of cells, by `row column`.
 */
export function textractBlocks(page: PageTruth, change: Readonly<Record<string, string>> = {}): Block[] {
  const { width, height } = page.geometry.page;
  const cells = page.table!.grid.cells.flatMap(({ row, column, rowSpan, columnSpan, box, text }, i): Block[] => {
    const Geometry = {
      Polygon: [
        [box.x, box.y],
        [box.x + box.width, box.y],
        [box.x + box.width, box.y + box.height],
        [box.x, box.y + box.height],
      ].map(([x, y]) => ({ X: Math.min(1, x! / width), Y: Math.min(1, y! / height) })),
    };
    const word = change[`${row} ${column}`] ?? (HANGUL.test(text) ? 'THE' : text);
    const place = { RowIndex: row + 1, ColumnIndex: column + 1, RowSpan: rowSpan, ColumnSpan: columnSpan };
    if (word === '') return [{ BlockType: 'CELL', Id: `c${i}`, Geometry, ...place }];
    return [
      { BlockType: 'WORD', Id: `w${i}`, Text: word, Confidence: 90 },
      { BlockType: 'CELL', Id: `c${i}`, Geometry, ...place, Relationships: [{ Type: 'CHILD', Ids: [`w${i}`] }] },
    ];
  });
  const ids = cells.filter(({ BlockType }) => BlockType === 'CELL').map(({ Id }) => Id!);
  return [...cells, { BlockType: 'TABLE', Id: 't', Relationships: [{ Type: 'CHILD', Ids: ids.reverse() }] }];
}

/** Converse's answer when the model reports a table by the given tool. */
export function converseAnswer(
  header: unknown,
  rows: unknown,
  stopReason: ConverseResponse['stopReason'] = 'tool_use',
): ConverseResponse {
  const input = { tables: header === undefined ? [] : [{ header, rows }] };
  return {
    stopReason,
    output: {
      message: {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: '1', name: 'report_tables', input: input as never } }],
      },
    },
    usage: undefined,
    metrics: undefined,
  };
}

/** A vision model's answer that reads every cell right. */
export function converseTruth({ table }: PageTruth): ConverseResponse {
  if (!table) return converseAnswer(undefined, undefined);
  const { rowCount, columnCount, cells } = table.grid;
  const rows = Array.from({ length: rowCount }, (_, row) =>
    Array.from(
      { length: columnCount },
      (_, column) => cells.find((cell) => cell.row === row && cell.column === column)?.text ?? '',
    ),
  );
  return converseAnswer(rows[0], rows.slice(1));
}

import { expect, it } from 'vitest';
import { readText } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import { pdfOfObjects } from '../../../helpers/pdf.ts';

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A page with these words in this order. */
function page(words: readonly Placed[]): Buffer {
  const shown = words.map(({ x, y, text }) => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`).join('\n');
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
  ]);
}

const linesOf = async (words: readonly Placed[]) =>
  (await readText(page(words), 'pdf', { tenant: 'ws' })).text.split('\n').map((line) => line.trim());
const LINES = Array.from({ length: 8 }, (_, i) => i);
const prose = (column: string, line: number) => `${column} line ${line} is as long as prose is`;
/** Words line by line across the page, as many programs write them. */
const across = (places: readonly number[], word: (column: number, line: number) => string, top = 700) =>
  LINES.flatMap((line) => places.map((x, column) => ({ x, y: top - 14 * line, text: word(column, line) })));

it('columns that a file has line by line are read one after the other, below their title', async () => {
  const title = { x: 50, y: 740, text: `A title that runs across both of the columns ${'and on '.repeat(8)}` };
  const words = across([50, 320], (column, line) => prose('LR'[column]!, line));
  const lines = await linesOf([title, ...words]);
  expect(lines[0]).toMatch(/^A title/);
  expect(lines.slice(1)).toEqual([...LINES.map((i) => prose('L', i)), ...LINES.map((i) => prose('R', i))]);
});

it('three columns are read one after the other as well', async () => {
  const lines = await linesOf(across([40, 230, 420], (column, line) => prose('LMR'[column]!, line)));
  expect(lines).toEqual(['L', 'M', 'R'].flatMap((column) => LINES.map((i) => prose(column, i))));
});

it('rows of tables stay rows', async () => {
  const lines = await linesOf(across([50, 200, 350], (column, line) => `${'ABC'[column]}${line}`));
  expect(lines).toEqual(LINES.map((i) => expect.stringMatching(new RegExp(`^A${i}\\s+B${i}\\s+C${i}$`))));
});

it('columns that a file has one after the other keep its order', async () => {
  const columns = [50, 320].flatMap((x, column) =>
    LINES.map((line) => ({ x, y: 700 - 14 * line, text: prose('LR'[column]!, line) })),
  );
  expect(await linesOf(columns)).toEqual([...LINES.map((i) => prose('L', i)), ...LINES.map((i) => prose('R', i))]);
});

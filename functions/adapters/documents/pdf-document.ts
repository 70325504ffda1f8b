import pdfmake, { type Content, type Style, type Text } from 'pdfmake';
import type { Block, Document, Run, Table } from '../../sandbox/domain/files/document.ts';
import { type KoreanFonts, koreanFonts } from './korean-fonts.ts';

const FONT = 'Korean';
const HEADING_SIZES = [20, 16, 14, 12, 11, 10];
const GREY = '#f2f2f2';
const LINK_COLOUR = '#0563c1';
const MARGIN_MM = 20;
const POINTS_PER_MM = 72 / 25.4;
const AFTER = 6;

/** A document of A4 pages, with the fonts in it. */
export async function pdfDocument({ title, blocks }: Document): Promise<Uint8Array> {
  useFonts(await koreanFonts());
  const heading: Content[] = title === null ? [] : [{ text: title, fontSize: 24, bold: true, margin: [0, 0, 0, 12] }];
  const margin = MARGIN_MM * POINTS_PER_MM;
  const pdf = pdfmake.createPdf({
    content: [...heading, ...blocksOf(blocks)],
    defaultStyle: { font: FONT, fontSize: 10, lineHeight: 1.3 },
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, margin],
    footer: (page, pages) => ({ text: `${page} / ${pages}`, alignment: 'center', fontSize: 8, margin: [0, 20, 0, 0] }),
    language: 'ko-KR',
    info: { creator: 'Tripod', ...(title !== null && { title }) },
  });
  return pdf.getBuffer();
}

/** Neither addresses nor files of the machine are read, regardless of the text. */
function useFonts({ regular, bold }: KoreanFonts): void {
  pdfmake.virtualfs = {
    existsSync: (name) => name === 'regular.ttf' || name === 'bold.ttf',
    readFileSync: (name) => (name === 'bold.ttf' ? bold : regular),
  };
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => false);
  // Hangul has no italics.
  pdfmake.setFonts({
    [FONT]: { normal: 'regular.ttf', bold: 'bold.ttf', italics: 'regular.ttf', bolditalics: 'bold.ttf' },
  });
}

function blocksOf(blocks: readonly Block[]): Content[] {
  return blocks.map(blockOf);
}

function blockOf(block: Block): Content {
  switch (block.kind) {
    case 'heading': {
      const fontSize = HEADING_SIZES[block.level - 1]!;
      const text = runsOf(block.runs, { bold: true });
      return { text, fontSize, bold: true, margin: [0, fontSize / 2, 0, AFTER] };
    }
    case 'paragraph':
      return { text: runsOf(block.runs), margin: [0, 0, 0, AFTER] };
    case 'code':
      return {
        table: { widths: ['*'], body: [[{ text: block.lines.join('\n'), preserveLeadingSpaces: true, fontSize: 9 }]] },
        layout: { hLineWidth: () => 0, vLineWidth: () => 0, fillColor: () => GREY },
        margin: [0, 0, 0, AFTER],
      };
    case 'list': {
      const items = block.items.map((item): Content => ({ stack: blocksOf(item) }));
      return block.start === null
        ? { ul: items, margin: [0, 0, 0, AFTER] }
        : { ol: items, start: block.start, margin: [0, 0, 0, AFTER] };
    }
    case 'quote':
      return { stack: blocksOf(block.blocks), margin: [14, 0, 0, AFTER], color: '#555555' };
    case 'rule':
      return {
        canvas: [{ type: 'line', x1: 0, y1: 4, x2: 480, y2: 4, lineWidth: 0.5, lineColor: '#999999' }],
        margin: [0, 0, 0, AFTER],
      };
    case 'table':
      return tableOf(block);
  }
}

function tableOf({ alignments, rows }: Table): Content {
  const body = rows.map((cells) =>
    cells.map((cell, column): Content => ({ text: runsOf(cell), alignment: alignments[column]! })),
  );
  return {
    table: { headerRows: 1, widths: alignments.map(() => 'auto'), body },
    layout: {
      hLineWidth: () => 0.5,
      vLineWidth: () => 0.5,
      hLineColor: () => '#bbbbbb',
      vLineColor: () => '#bbbbbb',
      fillColor: (row) => (row === 0 ? GREY : null),
    },
    margin: [0, 2, 0, AFTER + 2],
  };
}

function runsOf(runs: readonly Run[], always: Style = {}): Text[] {
  return runs.map(({ text, isBold, isItalic, isStruck, isCode, link }) => ({
    text,
    ...{ bold: isBold, italics: isItalic, ...always },
    ...(isStruck && { decoration: 'lineThrough' as const }),
    ...(isCode && { background: GREY }),
    ...(link !== null && { link, color: LINK_COLOUR, decoration: 'underline' as const }),
  }));
}

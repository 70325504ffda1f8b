import {
  AlignmentType,
  BorderStyle,
  Document as DocxDocument,
  ExternalHyperlink,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import type { Alignment, Block, Document, Run, Table as TableBlock } from '../../sandbox/domain/files/document.ts';

/** Word has it on Windows and macOS; other readers take a Korean font of theirs. */
const FONT = { ascii: 'Malgun Gothic', hAnsi: 'Malgun Gothic', eastAsia: '맑은 고딕' };
const CODE_FONT = { ascii: 'Consolas', hAnsi: 'Consolas', eastAsia: '맑은 고딕' };
const GREY = 'F2F2F2';
const LINK_COLOUR = '0563C1';
/** Twentieths of a point. */
const INDENT = 360;
const BULLETS = 'bullets';
const LEVELS = 9;
const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;
const ALIGNMENTS: Readonly<Record<Alignment, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
};

interface Context {
  /** Start of each ordered list so far: each is counted separately. */
  readonly starts: number[];
  /** Depth of the list around it; -1: none. */
  readonly level: number;
  readonly quotes: number;
}

/** A document for Word. */
export async function docxDocument({ title, blocks }: Document): Promise<Uint8Array> {
  const starts: number[] = [];
  const body = blocksOf(blocks, { starts, level: -1, quotes: 0 });
  const heading =
    title === null ? [] : [new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(title)] })];
  const document = new DocxDocument({
    ...(title !== null && { title }),
    creator: 'Tripod',
    styles: { default: { document: { run: { font: FONT, size: 22 } } } },
    numbering: {
      config: [{ reference: BULLETS, levels: levels(LevelFormat.BULLET, () => '•', 1) }, ...starts.map(numbered)],
    },
    sections: [{ children: [...heading, ...body] }],
  });
  return Packer.toBuffer(document);
}

function numbered(start: number, index: number) {
  return { reference: `numbers-${index}`, levels: levels(LevelFormat.DECIMAL, (level) => `%${level + 1}.`, start) };
}

function levels(
  format: (typeof LevelFormat)[keyof typeof LevelFormat],
  text: (level: number) => string,
  start: number,
) {
  return Array.from({ length: LEVELS }, (_, level) => ({
    ...{ level, format, text: text(level), start, alignment: AlignmentType.LEFT },
    style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
  }));
}

function blocksOf(blocks: readonly Block[], context: Context): (Paragraph | Table)[] {
  return blocks.flatMap((block) => blockOf(block, context));
}

function blockOf(block: Block, context: Context): (Paragraph | Table)[] {
  const indent = { left: INDENT * (context.level + 1 + context.quotes) };
  switch (block.kind) {
    case 'heading':
      return [new Paragraph({ heading: HEADINGS[block.level - 1]!, children: runsOf(block.runs) })];
    case 'paragraph':
      return [new Paragraph({ indent, spacing: { after: 120 }, children: runsOf(block.runs) })];
    case 'code':
      return block.lines.map((line) => new Paragraph({ indent, shading: grey(), children: [codeRun(line)] }));
    case 'quote':
      return blocksOf(block.blocks, { ...context, quotes: context.quotes + 1 });
    case 'rule':
      return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: 'auto', space: 1 } } })];
    case 'table':
      // Two tables in a row would become one.
      return [tableOf(block), new Paragraph({})];
    case 'list': {
      const reference = block.start === null ? BULLETS : `numbers-${context.starts.push(block.start) - 1}`;
      const level = context.level + 1;
      return block.items.flatMap(([first, ...rest]) => {
        const inner = { ...context, level };
        const numbering = { reference, level: Math.min(level, LEVELS - 1) };
        if (first?.kind !== 'paragraph')
          return [new Paragraph({ numbering }), ...blocksOf(first ? [first, ...rest] : [], inner)];
        return [new Paragraph({ numbering, children: runsOf(first.runs) }), ...blocksOf(rest, inner)];
      });
    }
  }
}

function tableOf({ alignments, rows }: TableBlock): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, index) =>
        new TableRow({
          ...(index === 0 && { tableHeader: true }),
          children: cells.map(
            (cell, column) =>
              new TableCell({
                ...(index === 0 && { shading: grey() }),
                children: [new Paragraph({ alignment: ALIGNMENTS[alignments[column]!], children: runsOf(cell) })],
              }),
          ),
        }),
    ),
  });
}

const grey = () => ({ type: ShadingType.CLEAR, fill: GREY });
const codeRun = (text: string) => new TextRun({ text, font: CODE_FONT, size: 20 });

function runsOf(runs: readonly Run[]): ParagraphChild[] {
  return runs.flatMap((run): readonly ParagraphChild[] => {
    const children = textRuns(run);
    return run.link === null ? children : [new ExternalHyperlink({ link: run.link, children })];
  });
}

function textRuns({ text, isBold, isItalic, isStruck, isCode, link }: Run): TextRun[] {
  return text.split('\n').map(
    (line, index) =>
      new TextRun({
        text: line,
        ...(index > 0 && { break: 1 }),
        ...{ bold: isBold, italics: isItalic, strike: isStruck },
        ...(isCode && { font: CODE_FONT, shading: grey() }),
        ...(link !== null && { color: LINK_COLOUR, underline: {} }),
      }),
  );
}

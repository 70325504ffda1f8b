import { AnalyzeDocumentCommand, type Block, type TextractClient } from '@aws-sdk/client-textract';
import sharp from 'sharp';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import type { LineReading, LineRecogniser } from '../../extraction/domain/reading/line-recogniser.ts';
import { turnRaster } from '../../extraction/domain/reading/page/quarter-turn.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import type {
  Box,
  PageReading,
  ReadCell,
  Reading,
  ReadTable,
  TableReader,
} from '../../extraction/domain/reading/table-reader.ts';
import type { PreparedPage } from '../embedded/prepare-page.ts';
import { mapBlocks, type TextractCell, type TextractPage, type TextractTable, turnOf } from './textract-blocks.ts';
import { cutBox, hasInk, turnGeometry } from './textract-page.ts';

export interface TextractReaderParts {
  readonly client: TextractClient;
  /** @throws ImageRefused */
  readonly preparePage: (image: Uint8Array) => Promise<PreparedPage>;
  readonly recogniser: LineRecogniser;
}

/** Limits of the synchronous call. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_SIDE = 10_000;
/** Lines outside tables tell the kind of document; the first ones suffice. */
const MAX_OUTER_LINES = 30;
/** What a reading keeps of its confidence when the two engines disagree about its digits. */
const DOUBT = 0.5;
/** At most, for digits that only Textract saw: nobody cross-checked them. */
const UNCHECKED = 0.5;
/** A table that begins or ends this near to the picture's edge may go on beyond it. */
const EDGE_PIXELS = 3;

/**
 * Reads tables with Amazon Textract, which finds cells well and supports no Korean: where cells are comes from it; what
 * they say comes from our own recogniser, and Textract's digits are the cross-check.
 */
export class TextractReader implements TableReader {
  readonly #parts: TextractReaderParts;

  constructor(parts: TextractReaderParts) {
    this.#parts = parts;
  }

  async read(image: Uint8Array): Promise<PageReading> {
    const prepared = await this.#parts.preparePage(image);
    if (!prepared.image.readable) return emptyReading(prepared);
    const blocks = await this.#analyse(prepared.page);
    const turn = turnOf(blocks);
    const page = turnRaster(prepared.page, turn);
    const found = mapBlocks(blocks, turn, page);
    const recognised = await recogniseAll(found, page, this.#parts.recogniser);
    return {
      geometry: turnGeometry(prepared.geometry, turn),
      image: prepared.image,
      page: { width: page.width, height: page.height },
      tables: found.tables.map((table) => readTable(table, page, recognised)),
      texts: found.lines.map((line, i) => ({
        ...mergeTexts(recognised.outerLines[i]?.text ?? null, line),
        box: line.box,
      })),
    };
  }

  async #analyse(page: Raster): Promise<readonly Block[]> {
    const bytes = await encodePage(page);
    try {
      const answer = await this.#parts.client.send(
        new AnalyzeDocumentCommand({ Document: { Bytes: bytes }, FeatureTypes: ['TABLES'] }),
      );
      return answer.Blocks ?? [];
    } catch (error) {
      const name = (error as Error).name;
      // The page was re-encoded by us: what Textract still refuses lies in the picture itself.
      if (
        name === 'BadDocumentException' ||
        name === 'UnsupportedDocumentException' ||
        name === 'DocumentTooLargeException'
      )
        throw new ImageRefused(
          'unreadable_image',
          'The picture could not be analysed. Send a sharper or smaller one.',
          {
            cause: error,
          },
        );
      throw error;
    }
  }
}

async function encodePage({ width, height, pixels }: Raster): Promise<Uint8Array> {
  const raster = sharp(pixels, { raw: { width, height, channels: 1 } }).resize({
    width: MAX_SIDE,
    height: MAX_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const png = await raster.clone().png().toBuffer();
  return png.length <= MAX_BYTES ? png : raster.jpeg({ quality: 90 }).toBuffer();
}

/** What our own recogniser read: the lines of every cell with ink, and the first lines outside tables. */
interface Recognised {
  readonly cells: ReadonlyMap<TextractCell, readonly LineReading[]>;
  readonly outerLines: readonly LineReading[];
}

async function recogniseAll(found: TextractPage, page: Raster, recogniser: LineRecogniser): Promise<Recognised> {
  const cells = found.tables.flatMap((table) => table.cells.map((cell) => ({ cell, boxes: linesToRead(cell, page) })));
  const outer = found.lines.slice(0, MAX_OUTER_LINES).map(({ box }) => box);
  const boxes = [...cells.flatMap((cell) => cell.boxes), ...outer];
  const readings = [...(await recogniser.recognise(boxes.map((box) => cutBox(page, box))))];
  const take = (count: number) => readings.splice(0, count);
  return { cells: new Map(cells.map(({ cell, boxes }) => [cell, take(boxes.length)])), outerLines: take(outer.length) };
}

/** A lone "1" is easily overlooked: a cell with ink is read whole, though Textract saw no word in it. */
function linesToRead(cell: TextractCell, page: Raster): readonly Box[] {
  if (cell.lineBoxes.length > 0) return cell.lineBoxes;
  return hasInk(page, cell.box) ? [cell.box] : [];
}

function readTable(table: TextractTable, page: Raster, recognised: Recognised): ReadTable {
  const { x, y, width, height } = table.box;
  const touchesEdge = y <= EDGE_PIXELS || y + height >= page.height - EDGE_PIXELS;
  const touchesSide = x < 0 || x + width > page.width;
  return {
    box: table.box,
    rowCount: table.rowCount,
    columnCount: table.columnCount,
    cells: table.cells.map((cell) => readCell(cell, recognised.cells.get(cell) ?? [])),
    bounded: !touchesEdge && !touchesSide,
  };
}

function readCell(
  { row, column, rowSpan, columnSpan, box, reading }: TextractCell,
  own: readonly LineReading[],
): ReadCell {
  const place = { row, column, rowSpan, columnSpan, box };
  if (own.length === 0) return { ...place, blank: true, text: { text: '', confidence: 0 }, numeral: null };
  return {
    ...place,
    blank: false,
    text: mergeTexts(join(own.map(({ text }) => text)), reading),
    numeral: mergeNumerals(join(own.map(({ numeral }) => numeral)), reading),
  };
}

/**
 * Our own text; Textract's is a second witness where it agrees. Alone it is taken only for what it knows, digits: Korean
 * text it reads as look-alike Latin, without a warning.
 */
function mergeTexts(own: Reading | null, textract: Reading): Reading {
  const fold = (text: string) => text.normalize('NFKC').replace(/\s+/g, '');
  if (own && own.text !== '') {
    const agree = fold(own.text) === fold(textract.text);
    return agree ? { text: own.text, confidence: bothAgree(own, textract) } : own;
  }
  return isNumeric(textract.text)
    ? { text: textract.text, confidence: Math.min(UNCHECKED, textract.confidence) }
    : { text: '', confidence: 0 };
}

function mergeNumerals(own: Reading, textract: Reading): Reading | null {
  const theirs = isNumeric(textract.text) ? digitsOf(textract.text) : '';
  if (own.text === '') {
    if (theirs === '') return null;
    return { text: textract.text.replace(/[^\d.,-]/g, ''), confidence: Math.min(UNCHECKED, textract.confidence) };
  }
  if (theirs === '') return own;
  const agree = theirs === digitsOf(own.text);
  return { text: own.text, confidence: agree ? bothAgree(own, textract) : own.confidence * DOUBT };
}

/** Two engines that err independently are wrong together only when both are. */
function bothAgree(a: Reading, b: Reading): number {
  return 1 - (1 - a.confidence) * (1 - b.confidence);
}

function join(readings: readonly Reading[]): Reading {
  const read = readings.filter(({ text }) => text !== '');
  return {
    // Korean wraps inside words: the print shows no blank there.
    text: read.map(({ text }) => text).join(''),
    confidence: read.length === 0 ? 0 : Math.min(...readings.map(({ confidence }) => confidence)),
  };
}

function isNumeric(text: string): boolean {
  return /^[\d.,\s-]*\d[\d.,\s-]*원?$/.test(text);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function emptyReading({ page, geometry, image }: PreparedPage): PageReading {
  return { geometry, image, tables: [], texts: [], page: { width: page.width, height: page.height } };
}

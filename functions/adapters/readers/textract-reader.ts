import { AnalyzeDocumentCommand, type Block, type TextractClient } from '@aws-sdk/client-textract';
import type { ImageDecoder } from '../../extraction/domain/reading/decoded-image.ts';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import type { LineRecogniser } from '../../extraction/domain/reading/line-recogniser.ts';
import { turnGeometry } from '../../extraction/domain/reading/page/page-geometry.ts';
import { preparePage } from '../../extraction/domain/reading/page/prepare-page.ts';
import { turnCorners, turnRaster } from '../../extraction/domain/reading/page/quarter-turn.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import { readStructure } from '../../extraction/domain/reading/read-page.ts';
import { ReaderUnavailable } from '../../extraction/domain/reading/reader-unavailable.ts';
import { findTables } from '../../extraction/domain/reading/structure/find-tables.ts';
import type {
  PageReading,
  ReadCell,
  Reading,
  ReadTable,
  TableReader,
} from '../../extraction/domain/reading/table-reader.ts';
import { encodePage } from './encode-page.ts';
import { type TextractTable, tablesOf, turnOf } from './textract-blocks.ts';

export interface TextractReaderParts {
  readonly client: TextractClient;
  readonly decode: ImageDecoder;
  readonly recogniser: LineRecogniser;
}

/** Limits of the synchronous call. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_SIDE = 10_000;
/** Passing failures, after the client's own retries. */
const PASSING = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'InternalServerError']);
/** The share of its confidence that a reading keeps if the two engines disagree about its digits. */
const DOUBT = 0.5;
/** At most, for digits that only Textract saw: nothing cross-checks them. */
const UNCHECKED = 0.5;

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
    const prepared = await preparePage(await this.#parts.decode(image), this.#parts.recogniser);
    const nothing = { tables: [], texts: [], page: { width: prepared.page.width, height: prepared.page.height } };
    if (!prepared.image.readable) return { geometry: prepared.geometry, image: prepared.image, ...nothing };
    const blocks = await this.#analyse(prepared.page);
    const turn = turnOf(blocks);
    const page = turnRaster(prepared.page, turn);
    const geometry = turnGeometry(prepared.geometry, turn);
    const structure = turn === 0 ? prepared.structure : findTables(page);
    if (!structure)
      return { geometry, image: prepared.image, ...nothing, page: { width: page.width, height: page.height } };
    const tables = tablesOf(blocks, turn, page);
    const reading = await readStructure(page, { ...structure, tables }, this.#parts.recogniser);
    return {
      ...reading,
      page: { ...reading.page, corners: turnCorners(prepared.corners, turn) },
      geometry,
      image: prepared.image,
      tables: reading.tables.map((table, i) => crossCheck(table, tables[i]!)),
    };
  }

  async #analyse(page: Raster): Promise<readonly Block[]> {
    const { bytes } = await encodePage(page, { maxSide: MAX_SIDE, maxBytes: MAX_BYTES });
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
      if (PASSING.has(name))
        throw new ReaderUnavailable('The service that finds tables is busy at the moment. Send the page again later.', {
          cause: error,
        });
      throw error;
    }
  }
}

/** Our own reading of a table, with Textract's of the same cells as a second witness. */
function crossCheck(table: ReadTable, textract: TextractTable): ReadTable {
  const witness = new Map(textract.cells.map(({ row, column, reading }) => [`${row} ${column}`, reading]));
  return { ...table, cells: table.cells.map((cell) => checkCell(cell, witness.get(`${cell.row} ${cell.column}`)!)) };
}

function checkCell(cell: ReadCell, witness: Reading): ReadCell {
  const numeral = checkNumeral(cell.numeral, witness);
  return { ...cell, blank: cell.blank && !numeral, text: checkText(cell.text, witness), numeral };
}

/** Korean text Textract reads as look-alike Latin, without a warning: it counts only where it says the same. */
function checkText(own: Reading, witness: Reading): Reading {
  const fold = (text: string) => text.normalize('NFKC').replace(/\s+/g, '');
  return own.text !== '' && fold(own.text) === fold(witness.text)
    ? { ...own, confidence: bothAgree(own, witness) }
    : own;
}

function checkNumeral(own: Reading | null, witness: Reading): Reading | null {
  if (!isNumeric(witness.text)) return own;
  if (!own || own.text === '')
    return { text: witness.text.replace(/[^\d.,-]/g, ''), confidence: Math.min(UNCHECKED, witness.confidence) };
  const agree = digitsOf(own.text) === digitsOf(witness.text);
  return { text: own.text, confidence: agree ? bothAgree(own, witness) : own.confidence * DOUBT };
}

/** Two engines that err independently are wrong together only when both are. */
function bothAgree(a: Reading, b: Reading): number {
  return 1 - (1 - a.confidence) * (1 - b.confidence);
}

function isNumeric(text: string): boolean {
  return /^[.,\s-]*\d[\d.,\s-]*원?$/.test(text);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

import { AnalyzeDocumentCommand, type Block, type TextractClient } from '@aws-sdk/client-textract';
import { interpretPage } from '../../extraction/domain/interpret/interpret-page.ts';
import type { ImageDecoder } from '../../extraction/domain/reading/decoded-image.ts';
import { turnGeometry } from '../../extraction/domain/reading/page/page-geometry.ts';
import { type PreparedPage, preparePage } from '../../extraction/domain/reading/page/prepare-page.ts';
import { turnCorners, turnRaster } from '../../extraction/domain/reading/page/quarter-turn.ts';
import type { PageModels } from '../../extraction/domain/reading/page-models.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import { readStructure } from '../../extraction/domain/reading/read-page.ts';
import { readPrepared } from '../../extraction/domain/reading/read-prepared.ts';
import { findStructure } from '../../extraction/domain/reading/structure/find-tables.ts';
import type {
  PageReading,
  ReadCell,
  Reading,
  ReadingService,
  ReadOptions,
  ReadTable,
  TableReader,
} from '../../extraction/domain/reading/table-reader.ts';
import type { Template } from '../../extraction/domain/reading/template.ts';
import { encodePage } from './encode-page.ts';
import { type TextractTable, tablesOf, turnOf } from './textract-blocks.ts';

export interface TextractReaderParts extends PageModels {
  readonly client: TextractClient;
  readonly decode: ImageDecoder;
  /** Called with an error of Textract's, for which a page was read by our own recogniser alone. */
  readonly onFallback?: (error: unknown) => Promise<void>;
}

/** Limits of the synchronous call. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_SIDE = 10_000;
/** After the client's own retries. */
const THROTTLED = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'LimitExceededException']);
/** The share of its confidence that a reading keeps if the two engines disagree about its digits. */
const DOUBT = 0.5;
/** At most, for digits that only Textract saw: nothing cross-checks them. */
const UNCHECKED = 0.5;

/**
 * Reads tables with Amazon Textract, which finds cells well and supports no Korean: where cells are comes from it; what
 * they say comes from our own recogniser, and Textract's digits are the cross-check. Our own reading comes first: it spares the call where
 * it finds no drug table, and replaces Textract where the call fails.
 */
export class TextractReader implements TableReader {
  readonly #parts: TextractReaderParts;

  constructor(parts: TextractReaderParts) {
    this.#parts = parts;
  }

  async read(image: Uint8Array, template: Template, { page }: ReadOptions = {}): Promise<PageReading> {
    const { decode, recogniser, onFallback, layouts } = this.#parts;
    const prepared = await preparePage(await decode(image, page), { recogniser, layouts });
    const own = await readPrepared(prepared, recogniser);
    const ownInstead = (outcome: ReadingService['outcome']) => ({ ...own, service: { name: SERVICE, outcome } });
    if (!prepared.image.readable || isWithoutDrugs(own, template)) return ownInstead('not_asked');
    let blocks: readonly Block[];
    try {
      blocks = await this.#analyse(prepared.page);
    } catch (error) {
      await onFallback?.(error);
      return ownInstead(THROTTLED.has((error as Error).name) ? 'throttled' : 'failed');
    }
    const reading = await this.#readBy(blocks, prepared);
    return { ...reading, service: { name: SERVICE, outcome: 'read' } };
  }

  /** The reading of the cells that Textract has found. */
  async #readBy(blocks: readonly Block[], prepared: PreparedPage): Promise<PageReading> {
    const nothing = { tables: [], texts: [] };
    const turn = turnOf(blocks);
    const page = turnRaster(prepared.page, turn);
    const geometry = turnGeometry(prepared.geometry, turn);
    const structure = turn === 0 ? prepared.structure : await findStructure(page, this.#parts.layouts);
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
    const answer = await this.#parts.client.send(
      new AnalyzeDocumentCommand({ Document: { Bytes: bytes }, FeatureTypes: ['TABLES'] }),
    );
    return answer.Blocks ?? [];
  }
}

const SERVICE = 'textract' as const;

/** False where our own reading shows nothing: a page that lies upside down, or whose print it cannot read. */
function isWithoutDrugs(own: PageReading, template: Template): boolean {
  const prints = [...own.texts, ...own.tables.flatMap(({ cells }) => cells.map(({ text }) => text))];
  return prints.some(({ text }) => text !== '') && interpretPage(own, template).table === null;
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

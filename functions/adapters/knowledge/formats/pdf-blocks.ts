import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';
import { columnsOf } from '../../../knowledge/domain/reading-order.ts';
import { withoutContents, withoutRunningHeads } from '../../../knowledge/domain/running-heads.ts';
import { instantiatePdfium, MAX_PDFIUM_BYTES } from '../../codecs/pdfium.ts';
import { type PdfiumText, segmentsOf } from './pdf-segments.ts';

export const MAX_PAGES = 5_000;

/** Lines of two columns, and letters of one. */
const MIN_PAIRS = 5;
const MIN_PAIR_LENGTH = 20;

/** Texts of pictures of pages, by the places of the pages. */
export type ScannedTexts = ReadonlyMap<number, string>;

export interface PdfText {
  readonly blocks: readonly Block[];
  readonly pages: number;
  /** Places of those that hold no text, from 0. */
  readonly withoutText: readonly number[];
}

/** The library's record of an open page; it closes pages only after drawing them. */
interface OpenPage {
  readonly module: PdfiumText & { _FPDF_ClosePage(page: number): void };
  readonly pageIdx: number;
}

/**
 * The text of every page, without running heads and tables of contents.
 * @param scanned texts of pages that are pictures, by their places @throws DocumentUnreadable
 */
export async function readPdf(bytes: Uint8Array, scanned: ScannedTexts = new Map()): Promise<PdfText> {
  const { library, exhausted } = await instantiatePdfium();
  try {
    const document = await library.loadDocument(bytes);
    const pages = document.getPageCount();
    if (pages > MAX_PAGES)
      throw new DocumentUnreadable(
        'too_large',
        `The PDF has ${pages} pages; it may have at most ${MAX_PAGES}. Split it.`,
      );
    const texts: string[] = [];
    for (let index = 0; index < pages; index++) {
      const page = document.getPage(index);
      const { module, pageIdx } = page as unknown as OpenPage;
      const text = page.getText();
      const columns = hasWideLines(text) ? columnsOf(segmentsOf(module, pageIdx)) : null;
      texts.push(cleaned(columns ?? text) || (scanned.get(index) ?? ''));
      module._FPDF_ClosePage(pageIdx);
    }
    const blocks = withoutRunningHeads(texts).flatMap((text, index): Block[] => {
      const read = withoutContents(text).trim();
      return read === '' ? [] : [{ kind: 'text', text: read, page: index + 1 }];
    });
    return { blocks, pages, withoutText: texts.flatMap((text, index) => (text === '' ? [index] : [])) };
  } catch (error) {
    if (error instanceof DocumentUnreadable) throw error;
    throw new DocumentUnreadable(
      exhausted() ? 'too_large' : 'unreadable',
      exhausted()
        ? `Reading the PDF takes more than ${MAX_PDFIUM_BYTES / 2 ** 20} MB of memory. Split it, or add its text.`
        : 'The PDF is damaged, empty or protected by a password. Add it unprotected.',
      { cause: error },
    );
  }
}

/** Whether lines of the text may be those of two columns next to each other. */
function hasWideLines(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.length >= MIN_PAIR_LENGTH);
  return lines.length >= MIN_PAIRS;
}

/** Lines without control characters: PDFium marks hyphens with one, and gives a null where it knows no letter. */
function cleaned(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, '')
    .trim();
}

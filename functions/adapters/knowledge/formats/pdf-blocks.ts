import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';
import { withoutContents, withoutRunningHeads } from '../../../knowledge/domain/running-heads.ts';
import { instantiatePdfium, MAX_PDFIUM_BYTES } from '../../codecs/pdfium.ts';

export const MAX_PAGES = 5_000;

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
  readonly module: { _FPDF_ClosePage(page: number): void };
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
      texts.push(cleaned(page.getText()) || (scanned.get(index) ?? ''));
      const { module, pageIdx } = page as unknown as OpenPage;
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

/** Lines without control characters: PDFium marks hyphens with one, and gives a null where it knows no letter. */
function cleaned(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, '')
    .trim();
}

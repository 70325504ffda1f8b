import { type DocumentType, DocumentUnreadable, MAX_PASSAGES } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';
import { markdownBlocks, plainBlocks } from '../../../knowledge/domain/text-blocks.ts';
import type { ScannedTexts } from './pdf-blocks.ts';
import { isArchive } from './zip-entries.ts';

/** More characters than the passages of a base can have. */
const MAX_TEXT_LENGTH = 30_000_000;

export interface DocumentBlocks {
  readonly blocks: Iterable<Block>;
  readonly pages: number | null;
  /** Of a document whose pages may be pictures: the places of those without text. */
  readonly withoutText?: readonly number[];
  /** Whether the file has hidden text, which is left out. */
  readonly hasHidden?: boolean;
}

/** The parts of a document in the order of reading. @throws DocumentUnreadable */
export async function documentBlocks(
  bytes: Uint8Array,
  type: DocumentType,
  scanned?: ScannedTexts,
): Promise<DocumentBlocks> {
  const isPdf = startsWithPdf(bytes);
  if (isPdf !== (type === 'pdf'))
    throw new DocumentUnreadable(
      'unreadable',
      isPdf
        ? 'The file is a PDF, and its content_type says another type.'
        : 'The file is not a PDF. Check its content_type.',
    );
  switch (type) {
    case 'pdf': {
      const { readPdf } = await import('./pdf-blocks.ts');
      return readPdf(bytes, scanned);
    }
    case 'image': {
      const text = scanned?.get(0) ?? '';
      const withoutText = text === '' ? [0] : [];
      return { blocks: text === '' ? [] : [{ kind: 'text', text, page: 1 }], pages: 1, withoutText };
    }
    case 'docx': {
      const { docxBlocks } = await import('./docx-blocks.ts');
      return { ...docxBlocks(bytes), pages: null };
    }
    case 'pptx': {
      const { readPptx } = await import('./pptx-blocks.ts');
      return readPptx(bytes);
    }
    case 'xlsx': {
      const { xlsxBlocks } = await import('./table-blocks.ts');
      return { ...xlsxBlocks(bytes), pages: null };
    }
    case 'hwp':
    case 'hwpx': {
      // Their media types are often mixed up.
      if (isArchive(bytes)) {
        const { hwpxBlocks } = await import('./hwpx-blocks.ts');
        return { ...hwpxBlocks(bytes), pages: null };
      }
      const { hwpBlocks } = await import('./hwp-blocks.ts');
      return { ...hwpBlocks(bytes), pages: null };
    }
    case 'odt': {
      const { odtBlocks } = await import('./odt-blocks.ts');
      return { ...odtBlocks(bytes), pages: null };
    }
    case 'rtf': {
      const { rtfBlocks } = await import('./rtf-blocks.ts');
      return { ...rtfBlocks(bytes), pages: null };
    }
    case 'doc':
      return docText(bytes);
    case 'epub': {
      const { epubBlocks } = await import('./epub-blocks.ts');
      return { blocks: epubBlocks(bytes), pages: null };
    }
    case 'eml': {
      const { emlBlocks } = await import('./eml-blocks.ts');
      return { blocks: await emlBlocks(bytes), pages: null };
    }
    default:
      return { blocks: await textBlocks(bytes, type), pages: null };
  }
}

/** Files named .doc are often of another format that Word opens as well. */
async function docText(bytes: Uint8Array): Promise<DocumentBlocks> {
  const { isRtf, rtfBlocks } = await import('./rtf-blocks.ts');
  if (isRtf(bytes)) return { ...rtfBlocks(bytes), pages: null };
  if (isArchive(bytes)) return documentBlocks(bytes, 'docx');
  const { docBlocks } = await import('./doc-blocks.ts');
  return { ...docBlocks(bytes), pages: null };
}

type TextType = 'text' | 'markdown' | 'html' | 'csv' | 'json';

async function textBlocks(bytes: Uint8Array, type: TextType): Promise<Iterable<Block>> {
  const { decodeText } = await import('./decode-text.ts');
  const text = await decodeText(bytes);
  if (type === 'html') {
    const { htmlBlocks } = await import('./html-blocks.ts');
    return htmlBlocks(text);
  }
  if (text.length > MAX_TEXT_LENGTH) throw tooLong();
  switch (type) {
    case 'csv': {
      const { csvBlocks } = await import('./table-blocks.ts');
      return csvBlocks(text);
    }
    case 'json': {
      const { jsonBlocks } = await import('./json-blocks.ts');
      return jsonBlocks(text);
    }
    case 'markdown':
      return markdownBlocks(text);
    case 'text':
      return plainBlocks(text);
  }
}

/** Readers accept a little before the mark of a PDF. */
const PDF_HEAD_BYTES = 1024;

function startsWithPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, PDF_HEAD_BYTES)).includes('%PDF-');
}

export function tooLong(): DocumentUnreadable {
  return new DocumentUnreadable(
    'too_large',
    `The text makes more than ${MAX_PASSAGES} passages, the most that a knowledge base may have. Split it.`,
  );
}

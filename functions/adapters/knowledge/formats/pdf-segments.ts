import type { Segment } from '../../../knowledge/domain/reading-order.ts';

/** PDFium's functions for the text of a page, and its memory. */
export interface PdfiumText {
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  readonly wasmExports: { malloc(bytes: number): number; free(place: number): void };
  readonly HEAPU8: Uint8Array;
}

/** A page of print has some thousands; the order of the file is good enough for more. */
const MAX_LETTERS = 20_000;
/** Between words of two segments, in heights of letters: spaces are a third of one. */
const MIN_GAP = 1;
const DOUBLE = 8;
const [LINE_END, RETURN, SPACE] = [10, 13, 32];

/** Words of a page with their places, in the order of the file. */
export function segmentsOf(pdfium: PdfiumText, page: number): readonly Segment[] {
  const text = pdfium._FPDFText_LoadPage(page);
  const box = pdfium.wasmExports.malloc(4 * DOUBLE);
  try {
    const count = pdfium._FPDFText_CountChars(text);
    return count > MAX_LETTERS ? [] : read(pdfium, { text, box, count });
  } finally {
    pdfium.wasmExports.free(box);
    pdfium._FPDFText_ClosePage(text);
  }
}

interface OpenText {
  readonly text: number;
  readonly box: number;
  readonly count: number;
}

function read(pdfium: PdfiumText, { text, box, count }: OpenText): Segment[] {
  const segments: Segment[] = [];
  let words = '';
  let [left, right, height] = [0, 0, 0];
  let startsLine = true;
  const flush = () => {
    if (words.trim() !== '') {
      segments.push({ text: words.trim(), left, right, height, startsLine });
      startsLine = false;
    }
    words = '';
  };
  for (let index = 0; index < count; index++) {
    const code = pdfium._FPDFText_GetUnicode(text, index);
    if (code === LINE_END || code === RETURN) {
      flush();
      startsLine = true;
      continue;
    }
    if (code <= SPACE) {
      words += words === '' ? '' : ' ';
      continue;
    }
    pdfium._FPDFText_GetCharBox(text, index, box, box + DOUBLE, box + 2 * DOUBLE, box + 3 * DOUBLE);
    const place = new DataView(pdfium.HEAPU8.buffer, box, 4 * DOUBLE);
    const [from, to, bottom, top] = [0, 1, 2, 3].map((i) => place.getFloat64(i * DOUBLE, true)) as [
      number,
      number,
      number,
      number,
    ];
    if (words !== '' && (from - right > MIN_GAP * height || from < left - height)) flush();
    if (words === '') [left, height] = [from, 0];
    words += String.fromCodePoint(code);
    [right, height] = [to, Math.max(height, top - bottom)];
  }
  flush();
  return segments;
}

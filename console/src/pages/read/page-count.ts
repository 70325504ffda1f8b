const MAX_COUNT = 10_000;

/** Pages of a file; null of a PDF or TIFF whose pages cannot be counted: the service reads its first one then. */
export async function pageCountOf(file: Blob): Promise<number | null> {
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const [first, second] = head;
  const isTiff = (first === 0x49 && second === 0x49) || (first === 0x4d && second === 0x4d);
  const isPdf = textOf(head).includes('%PDF-');
  if (!isTiff && !isPdf) return 1;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const count = isTiff ? tiffPages(bytes) : await pdfPages(bytes);
    return count === 0 ? null : Math.min(count, MAX_COUNT);
  } catch {
    return null;
  }
}

/** Image directories, each of which gives the place of the next. */
function tiffPages(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  let count = 0;
  for (let at = view.getUint32(4, isLittle); at !== 0 && count < MAX_COUNT; count++)
    at = view.getUint32(at + 2 + view.getUint16(at, isLittle) * 12, isLittle);
  return count;
}

/** The largest count of a page tree, among the plain objects of the file and those in compressed streams; 0: none was found. */
async function pdfPages(bytes: Uint8Array): Promise<number> {
  const text = textOf(bytes);
  const streams = [...text.matchAll(/\/Type\s?\/ObjStm/g)].map(({ index }) => {
    const keyword = text.indexOf('stream', index);
    const begin = keyword + (text.startsWith('\r\n', keyword + 6) ? 8 : 7);
    return inflated(bytes.subarray(begin, text.indexOf('endstream', begin)));
  });
  const parts = [text, ...(await Promise.all(streams))];
  return parts.flatMap(countsIn).reduce((most, count) => Math.max(most, count), 0);
}

/** `/Count` of each dictionary of `/Type /Pages`. */
function countsIn(text: string): number[] {
  return [...text.matchAll(/\/Type\s?\/Pages\b/g)].flatMap(({ index }) => {
    const dictionary = text.slice(begin(text, index), end(text, index));
    const [, count] = /\/Count\s{1,3}(\d{1,6})/.exec(dictionary) ?? [];
    return count === undefined ? [] : [Number(count)];
  });
}

/** Start of the dictionary around a place; those within it are skipped. */
function begin(text: string, place: number): number {
  for (let at = place, depth = 0; ; ) {
    const [open, close] = [text.lastIndexOf('<<', at - 1), text.lastIndexOf('>>', at - 1)];
    if (open < 0 || (depth === 0 && open > close)) return Math.max(0, open);
    depth += close > open ? 1 : -1;
    at = Math.max(open, close);
  }
}

function end(text: string, place: number): number {
  for (let at = place, depth = 0; ; ) {
    const [open, close] = [text.indexOf('<<', at), text.indexOf('>>', at)];
    if (close < 0) return text.length;
    const opens = open >= 0 && open < close;
    if (!opens && depth === 0) return close;
    depth += opens ? 1 : -1;
    at = (opens ? open : close) + 2;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

async function inflated(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += textOf(part.value);
  } catch {
    // A line break behind the compressed bytes is an error, after all of them were read.
  }
  return text;
}

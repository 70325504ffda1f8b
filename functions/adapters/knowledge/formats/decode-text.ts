import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';

/** The text of a file in UTF-8, UTF-16 with a mark, or CP949, which Korean files are often in. @throws DocumentUnreadable */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  const text = unicode(bytes) ?? (await cp949(bytes));
  if (text === null || text.includes('\0'))
    throw new DocumentUnreadable(
      'unreadable',
      'The file is not text in UTF-8, UTF-16 or CP949. Check its content_type, or save it as UTF-8.',
    );
  return text;
}

function unicode(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function cp949(bytes: Uint8Array): Promise<string | null> {
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(bytes, 'cp949');
  return text.includes('\ufffd') ? null : text;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The mails that a local service has sent. */
export async function sentMails(dataDir: string) {
  const folder = join(dataDir, 'mail');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(names.map(async (name) => readMessage(await readFile(join(folder, name)))));
}

/** Reads a message of one text part, as a mail program would. */
export function readMessage(bytes: Buffer): { headers: Record<string, string>; text: string } {
  const raw = bytes.toString('latin1');
  const end = raw.indexOf('\r\n\r\n');
  const unfolded = raw.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, '');
  const headers = Object.fromEntries(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
  const body = raw.slice(end + 4);
  if (headers['content-transfer-encoding'] !== 'base64') throw new Error('The text is not in base64.');
  return { headers, text: Buffer.from(body, 'base64').toString('utf8') };
}

/** RFC 2047: the white space between two encoded words belongs to neither. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=[ \t]+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : decodeQ(text),
    );
}

function decodeQ(text: string): string {
  const bytes = text
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

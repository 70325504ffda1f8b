import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { call } from './api.ts';
import type { TestWorkspace } from './workspace.ts';

const SAMPLE = new URL('../../docs/sample-page.png', import.meta.url);
/** Header of the sample page's table, down to the rule below it, and the height of each line. */
const HEADER = { left: 72, top: 178, width: 1228, height: 38 };
const LINE_HEIGHT = 36;
const WHITE = '#fcfcfa';

/** Twelve drugs of the shipped list. */
export function samplePage(): Promise<Buffer> {
  return readFile(SAMPLE);
}

/** Three drugs of the shipped list: a page that is read quickly. */
export function shortPage(): Promise<Buffer> {
  return topOfTable(3);
}

/** One drug of the shipped list, for tests that ignore the content: the smallest table. */
export function oneLinePage(): Promise<Buffer> {
  return topOfTable(1);
}

async function topOfTable(lines: number): Promise<Buffer> {
  const margin = 40;
  return sharp(await samplePage())
    .extract({ ...HEADER, height: HEADER.height + lines * LINE_HEIGHT })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: WHITE })
    .png()
    .toBuffer();
}

/** A picture of nothing but a flat ground. */
export function blankPage(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: WHITE } })
    .png()
    .toBuffer();
}

/** A PDF that shows the picture on each of its pages, at 150 dots an inch. */
export async function pdfOf(picture: Buffer, pages: number): Promise<Buffer> {
  const { data, info } = await sharp(picture).flatten().jpeg({ quality: 95 }).toBuffer({ resolveWithObject: true });
  const width = (info.width * 72) / 150;
  const height = (info.height * 72) / 150;
  const drawing = `q ${width} 0 0 ${height} 0 0 cm /Page Do Q`;
  const pageIds = Array.from({ length: pages }, (_, i) => i + 5);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} /ColorSpace /DeviceRGB ` +
          `/BitsPerComponent 8 /Filter /DCTDecode /Length ${data.length} >>\nstream\n`,
      ),
      data,
      Buffer.from('\nendstream'),
    ]),
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ...pageIds.map(
      () =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R ` +
        '/Resources << /XObject << /Page 3 0 R >> >> >>',
    ),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}${trailer}`));
  return Buffer.concat(parts);
}

/** A picture of the fixture pages: `fixturePage('other-004.jpg')`. */
export function fixturePage(name: string): Promise<Buffer> {
  return readFile(new URL(`../fixtures/pages/${name}`, import.meta.url));
}

/** Uploads a picture of a workspace. @returns its imageUrl */
export async function uploadedPicture(
  service: { readonly baseUrl: string },
  { apiKey }: Pick<TestWorkspace, 'apiKey'>,
  bytes: Buffer,
  contentType: string,
): Promise<string> {
  const body = { contentType, contentLength: bytes.length };
  const { json } = await call({ ...service, apiKey }, 'POST', '/api/v1/uploads', { body });
  const { uploadUrl, imageUrl } = json as { uploadUrl: string; imageUrl: string };
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': contentType }, body: new Uint8Array(bytes) });
  return imageUrl;
}

import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pageCountOf } from '../../../console/src/pages/read/page-count.ts';
import { blankPage, pdfOf } from '../../helpers/page-images.ts';

const count = (content: string | Uint8Array) => pageCountOf(new Blob([content as Uint8Array<ArrayBuffer>]));
const page = blankPage(40, 30);

/** Two directories and nothing else, in one of the two orders of bytes. */
function tiff(isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(48));
  view.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, 8, isLittle);
  view.setUint16(8, 1, isLittle);
  view.setUint32(22, 28, isLittle);
  view.setUint16(28, 1, isLittle);
  return new Uint8Array(view.buffer);
}

describe('the page count of a file', () => {
  it('is that of the page tree of a PDF', async () => {
    expect(await count(await pdfOf(await page, 1))).toBe(1);
    expect(await count(await pdfOf(await page, 37))).toBe(37);
  });

  it('is that of the root of several trees, in any order of members', async () => {
    expect(
      await count(
        '%PDF-1.7\n2 0 obj <</Resources<</Font<</F 1 0 R>>>>/Count 12/Kids[3 0 R 4 0 R]/Type/Pages>> endobj\n' +
          '3 0 obj <</Type /Pages /Parent 2 0 R /Resources << /XObject << >> >> /Count 7>> endobj\n' +
          '4 0 obj <</Type/Pages/Count 5>> endobj',
      ),
    ).toBe(12);
  });

  it('is found in compressed objects', async () => {
    const objects = deflateSync('2 0 3 40 <</Type/Pages/Count 9/Kids[3 0 R]>> <</Type/Page>>');
    const head = `%PDF-1.7\n1 0 obj <</Type/ObjStm/N 2/First 9/Filter/FlateDecode/Length ${objects.length}>>stream\r\n`;
    expect(await count(Buffer.concat([Buffer.from(head), objects, Buffer.from('\r\nendstream endobj')]))).toBe(9);
  });

  it('is unknown of a PDF without a page tree', async () => {
    expect(await count('%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj')).toBeNull();
  });

  it('is the number of directories of a TIFF, in both orders of bytes', async () => {
    expect(await count(tiff(true))).toBe(2);
    expect(await count(tiff(false))).toBe(2);
    expect(
      await count(
        await sharp(await page)
          .tiff()
          .toBuffer(),
      ),
    ).toBe(1);
  });

  it('is unknown of a TIFF that is cut off', async () => {
    expect(await count(tiff(true).slice(0, 20))).toBeNull();
  });

  it('is one of a picture', async () => {
    expect(await count(await page)).toBe(1);
    expect(await count('')).toBe(1);
  });
});

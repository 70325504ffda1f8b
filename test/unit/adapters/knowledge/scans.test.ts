import { expect, it } from 'vitest';
import { readScans } from '../../../../functions/adapters/knowledge/scan-process.ts';
import { threadedSegmentMaker } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import { Segment } from '../../../../functions/knowledge/domain/segment.ts';
import { blankPage, pdfOf } from '../../../helpers/page-images.ts';
import { scannedPage } from '../../../helpers/scanned-page.ts';

const REFUND = '환불은 결제한 날부터 7일 안에 신청할 수 있습니다. 신청하면 사흘 안에 돈이 돌아옵니다. ';
const STORAGE = '보관 방법은 상자에 적혀 있습니다. 어린이의 손이 닿지 않는 곳에 두십시오. ';

const textOf = async (bytes: Uint8Array, pages: readonly number[] | null = null) =>
  (await readScans({ bytes, pages, ocrDirectory: null }, 100)).map((text) => text.replace(/\s+/g, ' '));

it('a picture of two columns of prose is read one column after the other', async () => {
  const [text = ''] = await textOf(await scannedPage(REFUND.repeat(6), STORAGE.repeat(6)));
  const [left, right] = [text.indexOf('돈이 돌아옵'), text.indexOf('상자에')];
  expect([left, right]).not.toContain(-1);
  expect(text.lastIndexOf('돈이 돌아옵')).toBeLessThan(right);
});

it('a picture of more lines than a drug table has around it is read to its end', async () => {
  const column = Array.from({ length: 45 }, (_, i) => `${i} 환불 안내`).join('\n');
  const page = await scannedPage(column, column, column, `${column}\n마지막 줄입니다`);
  const [text = ''] = await textOf(page);
  expect(text.match(/환불/g)?.length).toBeGreaterThan(170);
  expect(text).toContain('마지막');
});

it('the reading of a picture that takes too long is ended, and nothing else with it', async () => {
  const bytes = await scannedPage(REFUND.repeat(12));
  await expect(readScans({ bytes, pages: null, ocrDirectory: null }, 0.2)).rejects.toMatchObject({
    code: 'took_too_long',
  });
  await expect(
    readScans({ bytes: Buffer.from('no picture'), pages: null, ocrDirectory: null }, 100),
  ).rejects.toMatchObject({
    code: 'unreadable',
  });
});

it('a scanned PDF gives passages with the page as place, and counts the pages without text', async () => {
  const maker = threadedSegmentMaker();
  const document = { documentId: 'd', title: 'T' };
  const scan = await pdfOf(await scannedPage(REFUND.repeat(3)), 2);
  const { segment, pages, pagesWithoutText } = await maker.read(scan, 'pdf', document, { tenant: 'ws' });
  expect({ pages, pagesWithoutText }).toEqual({ pages: 2, pagesWithoutText: 0 });
  const read = new Segment(segment);
  expect(Array.from({ length: read.passageCount }, (_, index) => read.passage(index).page)).toEqual([1, 2]);
  expect(read.passage(0).text).toContain('7일 안에 신청할');
  const blank = await pdfOf(await blankPage(400, 400), 1);
  await expect(maker.read(blank, 'pdf', document, { tenant: 'ws' })).rejects.toMatchObject({ code: 'no_text' });
  const many = await pdfOf(await blankPage(100, 100), 41);
  await expect(maker.read(many, 'pdf', document, { tenant: 'ws' })).rejects.toMatchObject({ code: 'too_large' });
});

import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { threadedSegmentMaker } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import { Segment } from '../../../../functions/knowledge/domain/segment.ts';
import { pdfOfObjects } from '../../../helpers/pdf.ts';

const document = { documentId: 'd', title: 'Bomb' };
const patient = threadedSegmentMaker();
const read = (text: string | Buffer, type: 'text' | 'markdown' | 'html' | 'pdf', maker = patient) =>
  maker.read(Buffer.from(text), type, document, { tenant: 'ws' });

/** A PDF with one page whose content is this stream, compressed. */
const pdfWith = (content: Buffer, pages = '/Kids [3 0 R] /Count 1') => {
  const compressed = deflateSync(content).toString('latin1');
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages ${pages} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${compressed.length} /Filter /FlateDecode >>\nstream\n${compressed}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
};

describe('a document that is made to break its reader', () => {
  it('ends when it takes too long: a closing tag looks through all open ones', async () => {
    const bomb = '<div>'.repeat(400_000) + '</b>'.repeat(400_000);
    const hasty = threadedSegmentMaker({ seconds: 1, heapMb: 512 });
    await expect(read(bomb, 'html', hasty)).rejects.toMatchObject({ code: 'took_too_long' });
  });

  it('ends when it takes too much memory', async () => {
    const small = threadedSegmentMaker({ seconds: 100, heapMb: 64 });
    await expect(read('a\n\n'.repeat(4_000_000), 'text', small)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is read however deep its tags are nested', async () => {
    const { segment } = await read(`${'<div>'.repeat(10_000)}deep down${'</div>'.repeat(10_000)}`, 'html');
    expect(new Segment(segment).passage(0).text).toBe('deep down');
  });

  it('has no more passages than a base may have', async () => {
    const failure = { code: 'too_large', message: expect.stringContaining('30000 passages') };
    await expect(read('# a\n\nb\n\n'.repeat(30_001), 'markdown')).rejects.toMatchObject(failure);
    await expect(read('a b '.repeat(8_000_000), 'text')).rejects.toMatchObject(failure);
  });

  it('is a PDF whose page is fifty megabytes of text in a few kilobytes', async () => {
    const content = Buffer.concat([
      Buffer.from('BT /F1 12 Tf '),
      Buffer.alloc(50_000_000, '(aaaa) Tj '),
      Buffer.from(' ET'),
    ]);
    const bomb = pdfWith(content);
    expect(bomb.byteLength).toBeLessThan(500_000);
    const bounded = threadedSegmentMaker({ seconds: 3, heapMb: 512 });
    await expect(read(bomb, 'pdf', bounded)).rejects.toMatchObject({
      code: expect.stringMatching(/^(too_large|took_too_long)$/),
    });
  });

  it('is a PDF that says it has a billion pages', async () => {
    const bomb = pdfWith(Buffer.from(''), '/Kids [3 0 R] /Count 1000000000');
    await expect(read(bomb, 'pdf')).rejects.toMatchObject({ name: 'DocumentUnreadable' });
  });

  it('leaves the next one alone', async () => {
    const { passages } = await read(`fine\n\n${'word '.repeat(20_000)}`, 'text');
    expect(passages).toBeGreaterThan(100);
  });
});

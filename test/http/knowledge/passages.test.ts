import { beforeEach, describe, expect, it } from 'vitest';
import { passagePage } from '../../../functions/knowledge/bases/schemas.ts';
import { call } from '../../helpers/api.ts';
import { dataOf, refusalOf } from '../../helpers/chat.ts';
import { addText, createBase, documentPath, indexed, indexFile, indexText } from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { pdfOf } from '../../helpers/pdf.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();
beforeEach(refillLimits);

const ask = (base: string, document: string, query = '') =>
  call(service, 'GET', `${documentPath(base, document)}/passages${query}`);
const passages = async (base: string, document: string, query = '') =>
  dataOf(await ask(base, document, query), passagePage.strict());

const sections = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `# 제${from + at}조\n\n조항 ${from + at}의 내용입니다.`).join('\n\n');

describe('the passages of a document', () => {
  it('come in the order of the document, with headings, in pages that miss and repeat none', async () => {
    const base = await createBase(service);
    await indexText(service, base.id, sections(100, 130), { title: '다른 문서', content_type: 'text/markdown' });
    const { id, passage_count } = await indexText(service, base.id, sections(1, 26), { content_type: 'text/markdown' });
    await indexText(service, base.id, sections(200, 230), { content_type: 'text/markdown' });
    expect(passage_count).toBe(25);
    const seen: { number: number; text: string; heading: string[] }[] = [];
    let cursor: string | null = null;
    do {
      const page = await passages(base.id, id, `?limit=10${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.passages);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(
      Array.from({ length: 25 }, (_, at) => ({
        ...{ number: at + 1, page: null, heading: [`제${at + 1}조`], text: `조항 ${at + 1}의 내용입니다.` },
      })),
    );
    expect(await passages(base.id, id, '?cursor=25')).toEqual({ passages: [], next_cursor: null });
  });

  it('name the pages of a PDF', async () => {
    const base = await createBase(service);
    const filler =
      'Nothing of interest is written on this page of the manual, which has several lines of this kind. '.repeat(3);
    const { id } = await indexFile(service, base.id, pdfOf(filler, `Warranty. ${filler}`), 'application/pdf');
    expect((await passages(base.id, id)).passages.map(({ number, page }) => [number, page])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('are those of the newest content after a replacement, and none of a document that failed', async () => {
    const base = await createBase(service);
    const first = await indexText(service, base.id, 'The shop opens at nine.', { external_id: 'hours' });
    const path = documentPath(base.id, first.id);
    expect(
      (await call(service, 'PUT', path, { body: { title: 'Hours', text: 'The shop opens at ten.' } })).status,
    ).toBe(200);
    await indexed(service, base.id, first.id);
    expect((await passages(base.id, first.id)).passages).toMatchObject([{ number: 1, text: 'The shop opens at ten.' }]);
    const empty = await addText(service, base.id, '<p><script>1</script></p>', { content_type: 'text/html' });
    expect(await indexed(service, base.id, empty.id)).toMatchObject({ status: 'failed' });
    expect(await passages(base.id, empty.id)).toEqual({ passages: [], next_cursor: null });
  });

  it('are gone with their document, and wrong requests name the field', async () => {
    const base = await createBase(service);
    const { id } = await indexText(service, base.id, 'The shop opens at nine.');
    expect((await call(service, 'DELETE', documentPath(base.id, id))).status).toBe(204);
    expect(refusalOf(await ask(base.id, id))).toEqual([404, expect.stringContaining('Document not found')]);
    const unknown = '01890000-0000-7000-8000-000000000000';
    expect(refusalOf(await ask(unknown, id))).toEqual([404, expect.stringContaining('Knowledge base not found')]);
    for (const query of ['?limit=0', '?limit=101', '?cursor=0', '?cursor=-1', '?cursor=x', '?page=1']) {
      const answer = await ask(base.id, id, query);
      expect([query, answer.status]).toEqual([query, 400]);
      expect(JSON.stringify(answer.json)).toContain(query.slice(1).split('=')[0]);
    }
  });
});

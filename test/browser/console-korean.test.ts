import { describe, expect, it } from 'vitest';
import { NAVIGATION } from '../../console/src/app/navigation.ts';
import { call, extractWhenFree } from '../helpers/api.ts';
import { batchCall, finishedJob } from '../helpers/batch.ts';
import { useBrowser } from '../helpers/browser.ts';
import { englishOn, settled, visitConsole } from '../helpers/console.ts';
import { fixturePage, shortPage } from '../helpers/page-images.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
/** Every page, with something on it. */
let pages: readonly string[];
const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000 });
  pages = await filledPages();
});

describe('the console in Korean', () => {
  it('has no English sentence on any page', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, { locale: 'ko-KR' });
    const found: Record<string, readonly string[]> = {};
    for (const path of pages) {
      await page.goto(path);
      await settled(page);
      const sentences = await englishOn(page);
      if (sentences.length > 0) found[path] = sentences;
    }
    expect(found).toEqual({});
    await context.close();
  });

  it('has none on the pages before the login either, nor in what they refuse', async () => {
    const page = await browsing.browser.newPage({ locale: 'ko-KR', baseURL: browsing.service.baseUrl });
    for (const path of ['/login', '/register', '/forgot-password', '/reset-password#token=none']) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      expect(await englishOn(page), path).toEqual([]);
    }
    await page.goto('/login');
    await page.locator('input[type=email]').fill(owner.email);
    await page.locator('input[type=password]').fill('wrong password');
    await page.locator('button[type=submit]').click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('이메일이나 비밀번호가 틀렸습니다.');
    expect(await englishOn(page)).toEqual([]);
    await page.close();
  });

  it('fails where one text of a page is in English, also in a label', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, { locale: 'ko-KR' });
    await page.goto('/account');
    await settled(page);
    await page.evaluate("document.querySelector('h1').append('Nothing is waiting')");
    await page.evaluate(
      "document.querySelector('main button, main input').setAttribute('aria-label', 'Press this button')",
    );
    expect([...(await englishOn(page))].sort()).toEqual(['Nothing is waiting', 'Press this button']);
    await context.close();
  });

  it('shows the notes of a line in the language that is chosen', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, { locale: 'ko-KR' });
    await page.goto(pages.findLast((path) => path.startsWith('/review/'))!);
    await page
      .getByText(/목록에 .*단가가 없습니다/)
      .first()
      .waitFor();
    await page.locator('select').filter({ hasText: '한국어' }).selectOption('en');
    await page
      .getByText(/the list has no price/)
      .first()
      .waitFor();
    await context.close();
  });
});

async function filledPages(): Promise<readonly string[]> {
  const post = async (path: string, body: object) => {
    const { status, json } = await call(browsing.service, 'POST', `/api/v1/${path}`, { key: owner.apiKey, body });
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return (json as { data: { id: string } }).data;
  };
  const [hard, short] = await Promise.all([fixturePage('hard-001.jpg'), shortPage()]);
  const read = async (image: Buffer) => {
    const body = { image: image.toString('base64'), serviceDate: '1999-01-01' };
    return ((await extractWhenFree(browsing.service, owner, body)).json as { requestId: string }).requestId;
  };
  const extractions = [await read(hard), await read(short)];
  const batch = await batchCall(browsing.service, owner, { images: ['aGVsbG8=', short.toString('base64')] });
  const { jobId } = batch.json as { jobId: string };
  await finishedJob(browsing.service, owner, jobId);
  const application = await post('applications', { name: '약국 안내', type: 'chat' });
  await post(`applications/${application.id}/access-tokens`, { name: '홈페이지' });
  const base = await post('knowledge-bases', { name: '업무 안내', description: '영업시간' });
  await post(`knowledge-bases/${base.id}/documents`, { title: '영업시간', text: '아홉 시부터 다섯 시까지 엽니다.' });
  await post('channels', {
    ...{ name: '알림', type: 'custom', application_id: application.id },
    secrets: { signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    settings: { url: 'https://example.com/hook' },
  });
  const nodes = [
    { id: 'start', type: 'start', data: { title: '시작', config: { fields: [] } } },
    { id: 'end', type: 'answer', data: { title: '끝', config: { text: '안녕하세요' } } },
  ];
  const workflow = await post('workflows', {
    name: '인사',
    graph: { nodes, edges: [{ source: 'start', target: 'end' }] },
  });
  return [
    ...NAVIGATION.map(({ to }) => to),
    ...extractions.map((id) => `/review/${id}`),
    `/read?job=${jobId}`,
    `/extractions?job=${jobId}`,
    ...['usage', 'keys', 'members', 'data', 'security', 'audit'].map((tab) => `/account?tab=${tab}`),
    ...[`/applications/${application.id}`, `/knowledge/${base.id}`, `/workflows/${workflow.id}`],
    ...['quickstart.md', 'extraction.md', 'console.md', 'errors.md'].map((guide) => `/guides/${guide}`),
  ];
}

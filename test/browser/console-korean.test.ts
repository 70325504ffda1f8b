import { describe, expect, it } from 'vitest';
import { useBrowser } from '../helpers/browser.ts';
import { englishOn, eventually, settled, visitConsole } from '../helpers/console.ts';
import { type FilledPages, filledWorkspace } from '../helpers/filled-workspace.ts';
import { difyFile, difyNode, difyStart } from '../helpers/workflows/dify.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
let pages: FilledPages;
const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000 });
  pages = await filledWorkspace(browsing.service, owner);
});

describe('the console in Korean', () => {
  it('has no English sentence on any page', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, { locale: 'ko-KR' });
    const found: Record<string, readonly string[]> = {};
    for (const path of pages.all) {
      await page.goto(path);
      await settled(page);
      const sentences = await englishOn(page);
      if (sentences.length > 0) found[path] = sentences;
    }
    expect(found).toEqual({});
    await context.close();
  });

  it('has none at the nodes of a workflow with issues', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, { locale: 'ko-KR' });
    await page.goto(pages.faulty);
    const issues = page.getByRole('status').filter({ hasText: '실행할 수 없는 이유' });
    await issues.getByRole('listitem').nth(4).waitFor();
    expect(await issues.innerText()).toContain('값이 없습니다');
    for (const title of ['시작', 'a', '계산', '조회', '검색']) {
      await page.locator('.react-flow__node').filter({ hasText: title }).first().click();
      await page.getByRole('region', { name: title, exact: true }).waitFor();
      expect(await englishOn(page), title).toEqual([]);
    }
    await context.close();
  });

  it('has none in the notes of an import, in the list and at the nodes', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, { locale: 'ko-KR' });
    await page.goto('/workflows');
    const model = { name: 'gpt', completion_params: { seed: 1 } };
    const nodes = [
      difyStart({ variable: 'q', type: 'external', label: '질문' }),
      difyNode('model', { type: 'llm', title: '모델', model, prompt_template: [{ role: 'user', text: '{{#no.x#}}' }] }),
      difyNode('other', { type: 'unheard-of', title: '모르는 것' }),
      difyNode('web', {
        type: 'http-request',
        title: '웹',
        method: 'brew',
        ssl_verify: false,
        url: 'https://a.example',
      }),
    ];
    const features = { opening_statement: '안녕하세요', speech_to_text: { enabled: true } };
    const placed = nodes.map((node, index) => ({ ...node, position: { x: 300 * index, y: 0 } }));
    const file = difyFile(placed, ['start > model', 'model > other', 'other > web'], { name: '가져온 것', features });
    const upload = { name: 'app.yml', mimeType: 'text/yaml', buffer: Buffer.from(file) };
    await page.getByRole('button', { name: 'Dify에서 가져오기' }).click();
    await page.locator('input[type=file]').setInputFiles(upload);
    const note = page.getByRole('status').filter({ hasText: '가져온 것' });
    await eventually(() => note.getByRole('listitem').count()).toBeGreaterThan(5);
    expect(await englishOn(page)).toEqual([]);
    await note.getByRole('link').click();
    for (const title of ['모델', '모르는 것', '웹']) {
      await page.locator('.react-flow__node').filter({ hasText: title }).first().click();
      await page.getByRole('region', { name: title, exact: true }).waitFor();
      expect(await englishOn(page), title).toEqual([]);
    }
    // Notes of the import are not lost, and those of the validation follow the language.
    const notes = page.getByRole('region', { name: '웹', exact: true }).getByRole('listitem');
    const before = await notes.allInnerTexts();
    await page.getByLabel('언어').selectOption('en');
    await page.getByText('What keeps it from running').waitFor();
    await eventually(() => page.getByText('Node "').count()).toBeGreaterThan(0);
    expect(await notes.count()).toBeGreaterThanOrEqual(before.length);
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
    await page.goto(pages.reviews.at(-1)!);
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

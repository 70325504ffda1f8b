import { expect, it } from 'vitest';
import { call, extractWhenFree } from '../helpers/api.ts';
import { useBrowser } from '../helpers/browser.ts';
import {
  accessibilityFaults,
  englishOn,
  eventually,
  expectNoSidewaysScroll,
  visitConsole,
} from '../helpers/console.ts';
import { addText, createBase, indexed } from '../helpers/knowledge.ts';
import { blankPage, oneLinePage, shortPage, uploadedPicture } from '../helpers/page-images.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000, freeCallsUsed: 9 });
});
const visit = (options: { readonly locale?: string; readonly width?: number } = {}) =>
  visitConsole(browsing.browser, browsing.service, owner, options);

const SEVERITIES = ['minor', 'moderate', 'serious', 'critical'] as const;

async function read(bytes: Buffer, labels: object): Promise<string> {
  const imageUrl = await uploadedPicture(browsing.service, owner, bytes, 'image/png');
  const { status, json } = await extractWhenFree(browsing.service, owner, { imageUrl, ...labels });
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as { requestId: string }).requestId;
}

it('results have thumbnails and names, are found, sorted and filtered, and are exported and deleted in bulk', async () => {
  const short = await shortPage();
  const first = await read(short, { fileName: '처방전_10.png', reference: '11월' });
  await read(await oneLinePage(), { fileName: '처방전_2.png' });
  const blank = await read(await blankPage(800, 600), { fileName: 'letter.png' });
  const { page, context, complaints } = await visit();
  await page.goto('/extractions');
  await expectNoSidewaysScroll(page);
  const rows = page.locator('tbody tr[data-index]');
  const names = () => rows.locator('a').allInnerTexts();
  await eventually(names).toEqual(['letter.png', '처방전_2.png', '처방전_10.png']);
  await eventually(() => page.locator('tbody img[src^="data:image/jpeg"]').count()).toBe(3);
  expect(await accessibilityFaults(page, { severities: SEVERITIES })).toEqual([]);

  await page.getByLabel('Order').selectOption('name');
  await eventually(names).toEqual(['처방전_2.png', '처방전_10.png', 'letter.png']);
  await page.getByLabel('Order').selectOption('lines');
  await eventually(names).toEqual(['처방전_10.png', '처방전_2.png', 'letter.png']);
  await page.getByLabel('Show').selectOption('noTable');
  await eventually(names).toEqual(['letter.png']);
  await page.getByLabel('Show').selectOption('all');
  await page.getByLabel('Search by name or reference').fill('처방');
  await eventually(names).toEqual(['처방전_10.png', '처방전_2.png']);
  await page.reload();
  await eventually(names).toEqual(['처방전_10.png', '처방전_2.png']);
  await page.getByLabel('Search by name or reference').fill('nothing like it');
  await page.getByText('No result matches the search and filters.').waitFor();
  await page.getByRole('link', { name: 'Results', exact: true }).click();
  await eventually(() => page.getByLabel('Search by name or reference').inputValue()).toBe('');
  await eventually(() => rows.count()).toBe(3);

  await page.getByLabel(/^Choose 처방전_10/).check();
  await page.getByLabel(/^Choose letter/).check();
  const bar = page.getByRole('region', { name: '2 chosen' });
  await bar.getByText('Export', { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const [, ...lines] = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.startsWith(first))).toBe(true);
  await page.keyboard.press('Escape');
  // A result that is not shown is not deleted.
  await page.getByLabel('Search by name or reference').fill('letter');
  await eventually(names).toEqual(['letter.png']);
  await page.getByRole('region', { name: '1 chosen' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 result deleted.').waitFor();
  await page.getByLabel('Search by name or reference').fill('');
  await eventually(names).toEqual(['처방전_2.png', '처방전_10.png']);
  const stored = (id: string) => call(browsing.service, 'GET', `/api/v1/extractions/${id}`, { key: owner.apiKey });
  expect((await stored(blank)).status).toBe(404);
  expect((await stored(first)).status).toBe(200);
  expect(complaints).toEqual([]);
  await context.close();
});

it('fields of channels are named in words with the way to them, and a secret is made on request', async () => {
  const body = { name: '약국', type: 'chat' };
  await call(browsing.service, 'POST', '/api/v1/applications', { key: owner.apiKey, body });
  const { page, context, complaints } = await visit({ locale: 'ko-KR' });
  await page.goto('/channels');
  for (const platform of ['slack', 'discord', 'telegram', 'line', 'teams', 'whatsapp', 'custom']) {
    await page.getByLabel('플랫폼').selectOption(platform);
    expect((await page.locator('form label').allInnerTexts()).filter((label) => label.includes('_'))).toEqual([]);
    expect(await englishOn(page), platform).toEqual([]);
    expect(await accessibilityFaults(page, { severities: SEVERITIES }), platform).toEqual([]);
  }
  await page.getByLabel('플랫폼').selectOption('slack');
  await page.getByText('Basic Information › App Credentials › Signing Secret').waitFor();
  await page.getByLabel('플랫폼').selectOption('telegram');
  await page.getByLabel('이름').fill('우리 봇');
  await page.getByLabel('봇 토큰').fill('123456:ABC-DEF');
  await page.getByRole('button', { name: '만들기' }).click();
  expect(await page.getByLabel('웹훅 확인용 비밀 값').inputValue()).toMatch(/^[\w-]{32}$/);
  await page.getByRole('button', { name: '채널 연결' }).click();
  await page.getByRole('heading', { name: /우리 봇 Telegram/ }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('the passages of a document can be looked at, page by page', async () => {
  const caller = { ...browsing.service, ...owner };
  const base = await createBase(caller, { name: '약관' });
  const text = Array.from({ length: 60 }, (_, at) => `# 제${at + 1}조\n\n조항 ${at + 1}의 내용입니다.`).join('\n\n');
  const { id } = await addText(caller, base.id, text, { title: '이용 약관', content_type: 'text/markdown' });
  await indexed(caller, base.id, id);
  const { page, context, complaints } = await visit({ locale: 'ko-KR' });
  await page.goto(`/knowledge/${base.id}`);
  await page.getByRole('button', { name: '단락 보기' }).click();
  const dialog = page.getByRole('dialog', { name: '“이용 약관”의 단락' });
  await dialog.getByText('조항 50의 내용입니다.').waitFor();
  await dialog.getByText('단락 1 · 제1조').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(50);
  await dialog.getByRole('button', { name: '더 보기' }).click();
  await dialog.getByText('조항 60의 내용입니다.').waitFor();
  expect(await accessibilityFaults(page, { severities: SEVERITIES })).toEqual([]);
  expect(await englishOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await context.close();
});

it('usage has totals and names of keys; members and security name the person and the state', async () => {
  await read(await oneLinePage(), { fileName: 'usage.png' });
  for (const width of [1440, 375]) {
    const { page, context, complaints } = await visit({ width });
    await page.goto('/account?tab=usage');
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('img', { name: 'Spent by day' }).waitFor();
    await page.getByRole('rowheader', { name: 'Total' }).waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('key');
    const keys = (await call(browsing.service, 'GET', '/api/v1/api-keys', { key: owner.apiKey })).json as {
      data: { name: string }[];
    };
    await page.getByRole('cell', { name: keys.data[0]!.name, exact: true }).waitFor();
    for (const tab of ['usage', 'members', 'security']) {
      await page.goto(`/account?tab=${tab}`);
      await page.locator('main h2').first().waitFor();
      expect(await accessibilityFaults(page, { severities: SEVERITIES }), tab).toEqual([]);
      await expectNoSidewaysScroll(page);
    }
    await page.getByText('Off', { exact: true }).waitFor();
    await page.goto('/account?tab=members');
    await page.getByRole('row', { name: owner.email }).getByText('You').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }
});

it('cards have a menu that opens, duplicates and deletes, also by the keyboard', async () => {
  const body = { name: 'Opening hours', type: 'chat', config: { system_prompt: 'Be brief.' } };
  await call(browsing.service, 'POST', '/api/v1/applications', { key: owner.apiKey, body });
  const { page, context, complaints } = await visit();
  await page.goto('/applications');
  const menuOf = (name: string) => page.getByRole('button', { name: `Actions on “${name}”`, exact: true });
  await menuOf('Opening hours').focus();
  await page.keyboard.press('Enter');
  await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Open');
  expect(await accessibilityFaults(page, { severities: SEVERITIES })).toEqual([]);
  await page.keyboard.press('ArrowUp');
  await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Delete');
  await page.keyboard.press('d');
  await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Duplicate');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await eventually(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Actions on “Opening hours”');
  await page.keyboard.press('Enter');
  await page.keyboard.press('d');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Copy of Opening hours' }).click();
  await page.getByLabel('System prompt').waitFor();
  expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
  await page.goBack();
  await menuOf('Copy of Opening hours').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Copy of Opening hours' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Opening hours' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

import { expect, it } from 'vitest';
import { useBrowser } from '../helpers/browser.ts';
import { accessibilityFaults, englishOn, eventually, settled, visitConsole } from '../helpers/console.ts';
import { pdfOf, shortPage } from '../helpers/page-images.ts';
import { createWorkspace } from '../helpers/workspace.ts';

const browsing = useBrowser();

it('a biller reads a PDF of five pages, corrects two lines, one of them by the list, and exports them, in Korean only', async () => {
  const biller = await createWorkspace({ balanceKrw: 10_000, freeCallsUsed: 8 });
  const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, biller, {
    locale: 'ko-KR',
  });
  const isKorean = async () => expect(await englishOn(page), page.url()).toEqual([]);

  await page.getByRole('link', { name: '판독', exact: true }).click();
  await page.locator('input[type=file][multiple]').setInputFiles({
    name: '11월 처방전.pdf',
    mimeType: 'application/pdf',
    buffer: await pdfOf(await shortPage(), 5),
  });
  await page.getByText('5쪽, 최대 ₩600.').waitFor();
  await page.getByText('남은 무료 2쪽을 먼저 씁니다.').waitFor();
  await isKorean();
  await page.getByRole('button', { name: '읽기', exact: true }).click();
  await page.getByText('5쪽 중 5쪽 판독 · ₩600').waitFor({ timeout: 120_000 });
  await page.getByText('11월 처방전.pdf (5/5)').waitFor();
  await isKorean();

  await page.getByRole('link', { name: '3줄' }).first().click();
  await page.waitForURL('**/review/*');
  await page.locator('svg image[href^="blob:"]').waitFor();
  const line = (index: number) => page.locator(`li[data-index="${index}"]`);
  await line(0).click();
  await line(0).getByRole('button', { name: '고치기' }).click();
  await line(0).getByLabel('금액').fill('12,345');
  await line(0).getByText('금액이 단가와 수량을 곱한 값이 아닙니다.').waitFor();
  await isKorean();
  await line(0).getByRole('button', { name: '저장' }).click();
  await line(0).getByText('고침', { exact: true }).waitFor();

  await line(1).click();
  await line(1).getByRole('button', { name: '고치기' }).click();
  await line(1).getByLabel('약품코드').fill('6400');
  const found = line(1).getByRole('region', { name: '약품 목록에서 찾은 약품' }).getByRole('button');
  await eventually(() => found.count()).toBeGreaterThan(0);
  const [code] = /\d{9}/.exec(await found.first().innerText())!;
  await found.first().click();
  await line(1)
    .getByRole('button', { name: /목록 단가 .* 적용/ })
    .click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await isKorean();
  await line(1).getByRole('button', { name: '저장' }).click();
  await line(1).getByText(code!).waitFor();
  await page.getByRole('status').getByText('저장됨').waitFor();

  await page.getByRole('link', { name: '판독 결과', exact: true }).click();
  await settled(page);
  await eventually(() => page.getByText(/11월 처방전/).count()).toBe(5);
  await isKorean();
  await page.getByText('내보내기', { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const rows = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
  expect(rows).toHaveLength(1 + 5 * 3);
  expect(rows.filter((row) => row.includes('12345'))).toHaveLength(1);
  expect(rows.filter((row) => row.includes(code!))).toHaveLength(1);

  await page.getByRole('link', { name: '계정', exact: true }).click();
  await eventually(() => page.getByRole('cell', { name: '-₩200', exact: true }).count()).toBe(3);
  await page.getByRole('cell', { name: '₩9,400', exact: true }).waitFor();
  await isKorean();
  expect(complaints).toEqual([]);
  await context.close();
});

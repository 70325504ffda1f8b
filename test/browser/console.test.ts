import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NAVIGATION } from '../../console/src/app/navigation.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { accessibilityFaults, expectNoSidewaysScroll, visitConsole } from '../helpers/console.ts';
import { refillLimits } from '../helpers/limits.ts';
import { type InProcessService, startService } from '../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let service: InProcessService;
let browser: Browser | null;
let owner: TestWorkspace;

beforeAll(async () => {
  browser = await launchChromium();
  if (browser === null) return;
  service = await startService();
  owner = await createWorkspace();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});
beforeEach(async ({ skip }) => {
  if (browser === null) return skip('no Chromium is installed');
  await refillLimits();
});

describe('the console', () => {
  it('sends who is not logged in to the login, and back to where they wanted to go', async () => {
    const page = await browser!.newPage({ locale: 'ko-KR', baseURL: service.baseUrl });
    await page.goto('/account');
    await page.getByLabel('이메일').fill(owner.email);
    await page.getByLabel('비밀번호').fill('wrong password');
    await page.getByRole('button', { name: '로그인' }).click();
    await page.getByText('이메일이나 비밀번호가 틀렸거나').waitFor();
    await page.getByLabel('비밀번호').fill(owner.password);
    await page.getByRole('button', { name: '로그인' }).click();
    await page.getByRole('heading', { name: '계정' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.close();
  });

  it.each(['en-US', 'ko-KR'])(
    'has no serious fault of accessibility on any page, in %s, light and dark',
    async (locale) => {
      const { page, context, complaints } = await visitConsole(browser!, service, owner, { locale });
      for (const path of pages()) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        for (const theme of ['light', 'dark']) {
          await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
          const faults = await accessibilityFaults(page, theme === 'dark' ? ['color-contrast'] : undefined);
          expect(faults, `${path} ${theme}`).toEqual([]);
        }
      }
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  it('has no sideways scroll on any page in windows 375, 768 and 1440 pixels wide', async () => {
    const { page, context } = await visitConsole(browser!, service, owner);
    for (const path of pages()) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      for (const width of [375, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page);
      }
    }
    await context.close();
  });
});

const pages = () => NAVIGATION.map(({ to }) => to);

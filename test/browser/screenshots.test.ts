import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, SANDBOX_ARGUMENTS } from '../helpers/chromium.ts';
import { refillLimits } from '../helpers/limits.ts';
import {
  changedShare,
  differenceFromStored,
  EVEN_TEXT,
  MAX_CHANGED_SHARE,
  showEvenly,
  smallScreenshot,
} from '../helpers/screenshots.ts';
import { type InProcessService, startService } from '../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

/** Pages without dates, ids and anything else that differs from run to run. */
const PAGES = ['read', 'extractions', 'applications', 'knowledge', 'workflows', 'channels'] as const;
const WIDTHS = [375, 1440] as const;

let service: InProcessService;
let browser: Browser | null = null;
let owner: TestWorkspace;

beforeAll(async () => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) return;
  browser = await chromium.launch({ executablePath, args: [...SANDBOX_ARGUMENTS, ...EVEN_TEXT] });
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

async function visit(width: number): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser!.newContext({
    ...{ locale: 'en-US', colorScheme: 'light', bypassCSP: true, baseURL: service.baseUrl },
    viewport: { width, height: 900 },
  });
  return { context, page: await context.newPage() };
}

async function logIn(page: Page): Promise<void> {
  await page.goto('/');
  await page.locator('input[type=email]').fill(owner.email);
  await page.locator('input[type=password]').fill(owner.password);
  await page.locator('button[type=submit]').click();
  await page.locator('nav').first().waitFor({ state: 'attached' });
}

async function shotOf(page: Page, path: string): Promise<Buffer> {
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  // The name of the workspace's owner is another one in each run.
  await page.addStyleTag({ content: 'nav ~ div p { visibility: hidden; }' });
  await showEvenly(page);
  return smallScreenshot(page);
}

describe.each(WIDTHS)('at %d pixels', (width) => {
  it('the login looks as its stored screenshot', async () => {
    const { page, context } = await visit(width);
    expect(await differenceFromStored(`login-${width}`, await shotOf(page, '/login'))).toBeLessThan(MAX_CHANGED_SHARE);
    await context.close();
  });

  it('pages of the console look as their stored screenshots', async () => {
    const { page, context } = await visit(width);
    await logIn(page);
    const changed: string[] = [];
    for (const name of PAGES) {
      const share = await differenceFromStored(`${name}-${width}`, await shotOf(page, `/${name}`));
      if (share >= MAX_CHANGED_SHARE) changed.push(`${name}: ${(100 * share).toFixed(2)} % changed`);
    }
    expect(changed).toEqual([]);
    await context.close();
  });
});

it('a comparison notices a moved block and another colour of a button', async () => {
  const { page, context } = await visit(1440);
  await logIn(page);
  const before = await shotOf(page, '/read');
  expect(await changedShare(before, await smallScreenshot(page))).toBeLessThan(MAX_CHANGED_SHARE);
  for (const css of [
    'main { transform: translateY(24px); }',
    'main button, main label { background: crimson !important; }',
  ]) {
    const again = await shotOf(page, '/read');
    expect(await changedShare(before, again)).toBeLessThan(MAX_CHANGED_SHARE);
    await page.addStyleTag({ content: css });
    expect(await changedShare(before, await smallScreenshot(page)), css).toBeGreaterThan(MAX_CHANGED_SHARE);
  }
  await context.close();
});

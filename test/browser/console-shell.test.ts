import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../helpers/browser.ts';
import { accessibilityFaults, eventually, expectNoSidewaysScroll, settled, visitConsole } from '../helpers/console.ts';
import { type FilledPages, filledWorkspace } from '../helpers/filled-workspace.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
let pages: FilledPages;
const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000 });
  pages = await filledWorkspace(browsing.service, owner);
});
const listbox = (page: Page) => page.getByRole('listbox', { name: 'Search' });
const visit = (options: { readonly width?: number; readonly height?: number } = {}) =>
  visitConsole(browsing.browser, browsing.service, owner, options);

describe('the frame of the console', () => {
  it('names the window after the page, moves the focus to it, and announces it', async () => {
    const { page, context } = await visit();
    const title = () => eventually(() => page.title());
    await title().toBe('Home · Tripod');
    await page.getByRole('link', { name: 'Results', exact: true }).click();
    await title().toBe('Results · Tripod');
    await eventually(() => page.locator('p[aria-live=polite].sr-only').innerText()).toBe('Results');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.goto(pages.application);
    await title().toBe('약국 안내 · Tripod');
    await page.goto('/guides/quickstart.md');
    await title().toMatch(/^Quickstart.* · Tripod$/);
    await page.goto('/login');
    await title().toBe('Log in · Tripod');
    await context.close();
  });

  it('opens pages and things by a part of their names, by Ctrl-K and by its button', async () => {
    const { page, context } = await visit();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find a page, application, workflow or knowledge base' });
    await field.fill('sandb');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sandbox' }).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await field.fill('약국');
    await eventually(() => listbox(page).getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining('약국 안내'),
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await listbox(page).getByRole('option').click();
    await page.waitForURL(pages.application);
    await page.keyboard.press('Control+k');
    await field.fill('nothing of this name');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await context.close();
  });

  it('steps through what it found with the arrow keys, around its end', async () => {
    const { page, context } = await visit();
    await page.keyboard.press('Control+k');
    const chosen = () => listbox(page).getByRole('option', { selected: true }).innerText();
    expect(await chosen()).toContain('Home');
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).toContain('Read');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).not.toContain('Home');
    await context.close();
  });

  it.each(['/account/nowhere', '/guides/nowhere.md', '/workflows/00000000-0000-7000-8000-000000000000'])(
    'has its own page for %s, with the navigation and ways out',
    async (path) => {
      const { page, context } = await visit();
      await page.goto(path);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      expect(await page.getByRole('navigation', { name: 'Menu' }).isVisible()).toBe(true);
      await page.locator('main').getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      await context.close();
    },
  );

  it('closes menus by Escape and by a press elsewhere, and the menu of a phone by Escape', async () => {
    const { page, context } = await visit();
    await page.goto('/extractions');
    const [menu, choice] = [page.locator('summary', { hasText: 'Export' }), page.getByRole('button', { name: 'CSV' })];
    await menu.click();
    await choice.focus();
    await page.keyboard.press('Escape');
    expect(await choice.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await menu.click();
    await page.getByRole('heading', { name: 'Results' }).click();
    expect(await choice.isVisible()).toBe(false);
    await page.setViewportSize({ width: 375, height: 700 });
    await page.getByRole('button', { name: 'Menu' }).click();
    const link = page.getByRole('link', { name: 'Sandbox' });
    await link.waitFor();
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
    await context.close();
  });

  it('draws the canvas of workflows in the chosen colours', async () => {
    const { page, context } = await visit();
    await page.goto(pages.faulty);
    const isDark = () => page.locator('.react-flow.dark').count();
    await page.locator('.react-flow').waitFor();
    expect(await isDark()).toBe(0);
    await page.locator('select').filter({ hasText: 'System' }).selectOption('dark');
    await eventually(isDark).toBe(1);
    await context.close();
  });
});

describe('home', () => {
  it('shows the lights of the pages by day, the last pages, and what waits', async () => {
    const { page, context } = await visit();
    await settled(page);
    const lights = page.getByRole('img', { name: /Lines per day by their lights/ });
    await lights.waitFor();
    const said = (await lights.getAttribute('aria-label')) ?? '';
    const [, green, yellow, red] = /(\d+) green, (\d+) yellow, (\d+) red/.exec(said)!.map(Number) as number[];
    const stored = await storedLights();
    expect([green, yellow, red]).toEqual([stored.green, stored.yellow, stored.red]);
    expect(stored.green).toBeGreaterThan(0);
    await page.locator('section', { hasText: 'Last pages' }).locator('li').nth(3).waitFor();
    await page.getByRole('link', { name: '2 runs wait for an approval or a form' }).click();
    await page.getByRole('heading', { name: 'Waiting for people' }).waitFor();
    await context.close();
  });

  async function storedLights() {
    const response = await fetch(`${browsing.service.baseUrl}/api/v1/extractions?limit=100`, {
      headers: { 'x-api-key': owner.apiKey },
    });
    const { extractions } = (await response.json()) as { extractions: { byStatus: Record<string, number> | null }[] };
    const sum = (light: string) => extractions.reduce((all, { byStatus }) => all + (byStatus?.[light] ?? 0), 0);
    return { green: sum('green'), yellow: sum('yellow'), red: sum('red') };
  }
});

it('every page fits a phone and a zoom of 200 %, and axe finds nothing of any severity', async () => {
  const { page, context, complaints } = await visit();
  const found: Record<string, readonly string[]> = {};
  for (const path of pages.all) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await settled(page);
    const faults = await accessibilityFaults(page, { severities: ['minor', 'moderate', 'serious', 'critical'] });
    if (faults.length > 0) found[path] = faults;
    // A window of 1440 pixels at 200 % has 720.
    for (const width of [375, 720]) {
      await page.setViewportSize({ width, height: 450 });
      await expectNoSidewaysScroll(page);
    }
  }
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
  await context.close();
});

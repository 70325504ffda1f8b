import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { latinSentences } from './latin-sentences.ts';

/** For a machine that runs several suites at once. */
const PATIENCE_MS = 60_000;

interface Person {
  readonly email: string;
  readonly password: string;
}

/** A browser logged in to the console; its page shows the home page. */
export interface ConsoleVisit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Messages of the browser that a page of ours should never cause: errors, and what its security policy refused. */
  readonly complaints: string[];
}

export async function visitConsole(
  browser: Browser,
  { baseUrl }: { readonly baseUrl: string },
  { email, password }: Person,
  options: { readonly locale?: string; readonly width?: number; readonly height?: number } = {},
): Promise<ConsoleVisit> {
  const { locale = 'en-US', width = 1440, height = 900 } = options;
  const context = await browser.newContext({ locale, viewport: { width, height }, baseURL: baseUrl });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  await page.goto('/');
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('nav').first().waitFor({ state: 'attached' });
  return { context, page, complaints };
}

/** As `expect.poll`, with more patience. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS });

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Severity = 'minor' | 'moderate' | 'serious' | 'critical';

/**
 * axe's findings in a page, in short.
 * @param options rules: all by default; severities: serious and critical by default.
 */
export async function accessibilityFaults(
  page: Page,
  options: { readonly rules?: readonly string[]; readonly severities?: readonly Severity[] } = {},
): Promise<readonly string[]> {
  const { rules, severities = ['serious', 'critical'] } = options;
  // As the debugger's own: the page's policy lets no script in.
  await page.evaluate(`if (!window.axe) { ${AXE} }`);
  const run = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${JSON.stringify(run)})`);
  return violations
    .filter(({ impact }) => severities.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
    );
}

interface Violation {
  readonly id: string;
  readonly impact: Severity;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Waits until a page has loaded what it shows. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await eventually(() =>
    page.evaluate("[...document.querySelectorAll('[role=status]')].map((e) => e.textContent).join()"),
  ).not.toMatch(/Loading|불러오는/);
}

/** Whether something is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window, widest] = await page.evaluate<[number, number, string]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const edge = (element) => element.getBoundingClientRect().right;
    const beyond = [...document.body.querySelectorAll('*')].filter((element) => edge(element) > clientWidth + 1);
    return [scrollWidth, clientWidth, beyond.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 200)).join(' … ')];
  })()`);
  expect(content, `${page.url()} ${widest}`).toBeLessThanOrEqual(window);
}

/** Texts and labels of a page, without code, what people have named, and what says that it is in another language. */
export async function englishOn(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate<readonly string[]>(`(() => {
    // The canvas of workflows names its parts by itself.
    const apart = 'code, pre, kbd, script, style, [lang=en], .cm-editor, .react-flow';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(apart)) texts.push(walker.currentNode.data);
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll('[' + name + ']'))
        if (!element.closest(apart)) texts.push(element.getAttribute(name));
    return texts;
  })()`);
  return [...new Set(texts.flatMap((text) => latinSentences(text)))];
}

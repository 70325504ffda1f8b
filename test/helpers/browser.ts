import type { Browser } from 'playwright-core';
import { test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { refillLimits } from './limits.ts';
import { type UsedService, useService } from './service.ts';

/** The service of this process with a browser, for the tests of a file. They are skipped where no Chromium is installed. */
export interface Browsing {
  readonly service: UsedService;
  readonly browser: Browser;
}

// biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern, and nothing in it is wanted here.
const withBrowser = test.extend('launched', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const browser = await launchChromium();
  onCleanup(() => browser?.close());
  return browser;
});

/**
 * The browser of this process, each file in contexts that it closes: its start takes longer than most tests.
 * @param begun is called once, before the first test
 */
export function useBrowser(begun: (browsing: Browsing) => Promise<void> = async () => undefined): Browsing {
  let browser: Browser | null = null;
  const service = useService();
  const browsing: Browsing = {
    service,
    get browser() {
      return browser!;
    },
  };
  withBrowser.beforeAll(async ({ launched }) => {
    browser = launched;
    if (browser !== null) await begun(browsing);
  });
  withBrowser.beforeEach(async ({ skip }) => {
    if (browser === null) return skip('no Chromium is installed');
    await refillLimits();
  });
  return browsing;
}

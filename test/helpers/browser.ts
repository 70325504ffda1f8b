import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { launchChromium } from './chromium.ts';
import { refillLimits } from './limits.ts';
import { type InProcessService, startService } from './service.ts';

/** A service with a browser for the tests of a file. They are skipped where no Chromium is installed. */
export interface Browsing {
  readonly service: InProcessService;
  readonly browser: Browser;
}

/** @param begun is called once, before the first test */
export function useBrowser(begun: (browsing: Browsing) => Promise<void> = async () => undefined): Browsing {
  let browser: Browser | null = null;
  let service: InProcessService | undefined;
  const browsing: Browsing = {
    get service() {
      return service!;
    },
    get browser() {
      return browser!;
    },
  };
  beforeAll(async () => {
    browser = await launchChromium();
    if (browser === null) return;
    service = await startService();
    await begun(browsing);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async ({ skip }) => {
    if (browser === null) return skip('no Chromium is installed');
    await refillLimits();
  });
  return browsing;
}

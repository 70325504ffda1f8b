import { type Bench, type Figure, logIn, openBrowser, PAGES } from './visit.ts';

const WIDTHS = [375, 768, 1440];

/** Whether a page is wider than the window. */
export async function* measureWidths(bench: Bench): AsyncGenerator<Figure> {
  const browser = await openBrowser();
  try {
    const page = browser.pages()[0]!;
    await logIn(page, bench);
    const wide: string[] = [];
    for (const path of PAGES) {
      await page.goto(bench.url + path);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        if (await page.evaluate<boolean>(isWide)) wide.push(`${path} at ${width}`);
      }
    }
    yield {
      what: `${PAGES.length} pages at ${WIDTHS.join(', ')} pixels: those that scroll sideways`,
      figure: wide.length === 0 ? 'none' : wide.join(', '),
      bar: 'none',
      isMet: wide.length === 0,
    };
  } finally {
    await browser.close();
  }
}

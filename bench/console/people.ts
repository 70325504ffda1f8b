import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type Bench, callApi, type Figure, logIn, openBrowser } from './visit.ts';

const MAX_ACTIONS = 5;
const MAX_SECONDS = 15;
/** A person who knows the keys types about so fast. */
const KEY_MS = 80;

/** From the first address on, to the lines of a page: what a person has to do, one by one. */
export async function* firstExtraction({ url, person }: Bench): AsyncGenerator<Figure> {
  const browser = await openBrowser();
  try {
    const page = browser.pages()[0]!;
    const actions = [
      () => page.goto(url),
      () => page.locator('input[type=email]').fill(person.email),
      () => page.locator('input[type=password]').fill(person.password),
      () => page.locator('button[type=submit]').click(),
      () => page.getByRole('button', { name: 'Read the sample page' }).click(),
    ];
    for (const act of actions) await act();
    await page.waitForURL('**/review/*', { timeout: 60_000 });
    await page.locator('li[data-index]').nth(11).waitFor();
    yield {
      what: 'First extraction of a newcomer, from the address on',
      figure: `${actions.length} actions`,
      bar: `at most ${MAX_ACTIONS}`,
      isMet: actions.length <= MAX_ACTIONS,
    };
  } finally {
    await browser.close();
  }
}

/** Corrects two wrong lines of a page of twenty by keyboard, one key at a time, at the pace of a person. */
export async function* keyboardReview(bench: Bench): AsyncGenerator<Figure> {
  const image = (await twentyLines()).toString('base64');
  const { requestId, items } = await callApi<{
    requestId: string;
    items: { needsReview: boolean; unitPrice: number }[];
  }>(bench, 'POST', 'edi-extract-lite/extract', { image });
  const open = items.filter(({ needsReview }) => needsReview).length;
  const browser = await openBrowser();
  try {
    const page = browser.pages()[0]!;
    await logIn(page, bench);
    await page.goto(`${bench.url}/review/${requestId}`);
    await page.locator('li[aria-current]').waitFor();
    const press = (key: string) => page.keyboard.press(key, { delay: KEY_MS });
    const began = performance.now();
    let corrected = 0;
    while (!(await page.getByRole('status').getByText('0 lines to review').isVisible())) {
      if (corrected++ > items.length) throw new Error('The review does not end.');
      await press('e');
      for (const digit of ['1', '1', '2']) await press(digit);
      await press('Enter');
    }
    await page.getByRole('status').getByText('· saved').waitFor();
    const seconds = (performance.now() - began) / 1000;
    yield {
      what: `A page of ${items.length} lines with ${open} to correct, by keyboard alone`,
      figure: `${seconds.toFixed(1)} s at ${KEY_MS} ms a key`,
      bar: `at most ${MAX_SECONDS} s, 20 lines with 2`,
      isMet: seconds <= MAX_SECONDS && items.length === 20 && open === 2,
    };
  } finally {
    await browser.close();
  }
}

/** In `docs/sample-page.png`: its table, the height of a line, and the column of unit prices. */
const TABLE = { left: 72, top: 178, width: 1228, header: 38, line: 36 };
const PRICES = { left: 1106, width: 86 };

/** The table of the sample page, with eight of its twelve lines a second time, and the unit prices of two others in two lines. */
async function twentyLines(): Promise<Buffer> {
  const sample = await readFile(new URL('../../docs/sample-page.png', import.meta.url));
  const cut = (left: number, top: number, width: number, height: number) =>
    sharp(sample).extract({ left, top, width, height }).png().toBuffer();
  const topOf = (line: number) => TABLE.top + TABLE.header + line * TABLE.line;
  const { left, width, header, line: height } = TABLE;
  const margin = 40;
  const price = async (from: number, to: number) => ({
    input: await cut(PRICES.left, topOf(from) + 3, PRICES.width, height - 6),
    left: margin + PRICES.left - left,
    top: margin + header + to * height + 3,
  });
  return sharp({
    create: {
      width: width + 2 * margin,
      height: 2 * margin + header + 20 * height,
      channels: 3,
      background: '#fcfcfa',
    },
  })
    .composite([
      { input: await cut(left, TABLE.top, width, header + 12 * height), left: margin, top: margin },
      {
        input: await cut(left, topOf(0) + 1, width, 8 * height),
        left: margin,
        top: margin + header + 12 * height + 1,
      },
      await price(5, 3),
      await price(8, 15),
    ])
    .png()
    .toBuffer();
}

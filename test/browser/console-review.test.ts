import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { extraction as extractionSchema } from '../../functions/extraction/schemas.ts';
import { call, extractWhenFree } from '../helpers/api.ts';
import { useBrowser } from '../helpers/browser.ts';
import { accessibilityFaults, eventually, expectNoSidewaysScroll, visitConsole } from '../helpers/console.ts';
import { pdfOf, samplePage, shortPage, uploadedPicture } from '../helpers/page-images.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

type Extraction = z.output<typeof extractionSchema>;

let owner: TestWorkspace;
let sample: Buffer;
let short: Buffer;
const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000 });
  [sample, short] = await Promise.all([samplePage(), shortPage()]);
});

const read = async (id: string) =>
  (await call(browsing.service, 'GET', `/api/v1/extractions/${id}`, { key: owner.apiKey })).json as Extraction;

/** A page by a day on which its prices were others: each of its lines is to be reviewed. By default it has three. */
async function extracted(page = short): Promise<string> {
  const body = { image: page.toString('base64'), serviceDate: '1999-01-01' };
  return ((await extractWhenFree(browsing.service, owner, body)).json as { requestId: string }).requestId;
}

const saved = (page: Page) =>
  page.getByRole('status').getByText('saved', { exact: false }).filter({ hasNotText: 'not' }).waitFor();

describe('reading', () => {
  it('takes a newcomer from the login to the first lines by one further click, and lights them up on the page', async () => {
    const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.getByRole('button', { name: 'Read the sample page' }).click();
    await page.waitForURL('**/review/*');
    const lines = page.getByRole('region', { name: 'Lines' }).getByRole('listitem');
    await eventually(() => lines.count()).toBeGreaterThan(10);
    const lit = page.locator('g[data-lit=true] polygon');
    await eventually(() => lit.count()).toBeGreaterThan(3);
    const cellOf = async () => (await lit.first().boundingBox())!.y;
    const first = await cellOf();
    await page.keyboard.press('j');
    await eventually(cellOf).toBeGreaterThan(first);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.evaluate("document.documentElement.dataset.theme = 'dark'");
    expect(await accessibilityFaults(page, { rules: ['color-contrast'] })).toEqual([]);
    for (const width of [375, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the picture of a call once the workspace keeps such pictures, and deletes it alone', async () => {
    const keeper = await createWorkspace({ balanceKrw: 10_000 });
    const { page, context } = await visitConsole(browsing.browser, browsing.service, keeper);
    await page.goto('/account?tab=data');
    await page.getByLabel('Keep the pictures of single calls').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    const { json } = await extractWhenFree(browsing.service, keeper, { image: short.toString('base64') });
    await page.goto(`/review/${(json as { requestId: string }).requestId}`);
    await page.locator('svg image[href^="blob:"]').waitFor();
    await page.locator('g[data-lit=true] polygon').first().waitFor();
    await page.getByRole('button', { name: 'Delete the picture' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the picture' }).click();
    await page.getByText('The picture is not kept').waitFor();
    expect(await page.getByRole('listitem').count()).toBeGreaterThan(0);
    await context.close();
  });

  it('reads several files as a batch and names the one that is not a picture', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto('/read');
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title=1</script></svg>';
    await page.locator('input[type=file][multiple]').setInputFiles([
      { name: 'one.png', mimeType: 'image/png', buffer: sample },
      { name: '<img src=x onerror=document.title=1>.png', mimeType: 'image/png', buffer: Buffer.from(script) },
      { name: 'picture.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(script) },
    ]);
    await page.getByRole('alert').getByText('picture.svg: is not a picture or PDF.').waitFor();
    await page.getByText('2 pages, at most').waitFor();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByText('1 of 2 read').waitFor({ timeout: 60_000 });
    const failed = '2 of 2: <img src=x onerror=document.title=1>.png failed: The content is not a JPEG';
    await page.getByRole('alert').getByText(failed).waitFor();
    await page.getByRole('link', { name: '12 lines' }).click();
    await page.waitForURL('**/review/*');
    expect(await page.title()).toMatch(/ · Tripod$/);
    await context.close();
  });

  it('says how many pages a PDF has and what they cost, and reads each of them', async () => {
    const reader = await createWorkspace({ balanceKrw: 1_000, freeCallsUsed: 10 });
    const { page, context } = await visitConsole(browsing.browser, browsing.service, reader);
    await page.goto('/account?tab=data');
    await page.getByLabel('Keep no pictures').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await page.goto('/read');
    const picker = page.locator('input[type=file][multiple]');
    await picker.setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: await pdfOf(short, 2) });
    await page.getByText('2 pages, at most ₩400').waitFor();
    await picker.setInputFiles({ name: 'book.pdf', mimeType: 'application/pdf', buffer: await pdfOf(short, 99) });
    await page.getByRole('alert').getByText('book.pdf: at most 100 pages').waitFor();
    expect(await page.getByText('The balance is not enough').count()).toBe(0);
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByText('2 of 2 read · ₩400').waitFor({ timeout: 60_000 });
    await page.getByText('scan.pdf (1/2)').waitFor();
    await page.getByText('scan.pdf (2/2)').waitFor();
    expect(await page.getByRole('link', { name: '3 lines' }).count()).toBe(2);
    await context.close();
  });

  it('says before sending which pages are free, and that the balance is not enough', async () => {
    const poor = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 9 });
    const { page, context } = await visitConsole(browsing.browser, browsing.service, poor);
    await page.getByText('Enough for 3 pages. 1 of them is free.').waitFor();
    await page.goto('/read');
    const picker = page.locator('input[type=file][multiple]');
    await picker.setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: await pdfOf(short, 6) });
    await page.getByText('6 pages, at most ₩1,000.').waitFor();
    await page.getByText('1 free page is used first.').waitFor();
    await page.getByText('not enough for 6 pages: ₩500 is missing. It is enough for 3').waitFor();
    await context.close();
  });

  it('shows the faults of a picture next to its lines', async () => {
    const body = { image: (await pdfOf(short, 2)).toString('base64') };
    const { requestId } = (await extractWhenFree(browsing.service, owner, body)).json as { requestId: string };
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(`/review/${requestId}`);
    await page.getByText('The file has more pages: only the first was read.').waitFor();
    await context.close();
  });

  it('waits and sends a page again under the same key while all readers are busy', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    const keys: (string | undefined)[] = [];
    await page.route('**/api/v1/edi-extract-lite/extract', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { code: 503, message: 'All busy.' } });
    });
    await page.getByRole('button', { name: 'Read the sample page' }).click();
    await page.waitForURL('**/review/*');
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    await context.close();
  });

  it('shows a notice on another page when a reading has ended, and leads there only on request', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto('/read');
    let goOn = () => {};
    const isHeld = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/api/v1/edi-extract-lite/extract', async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Read the sample page' }).click();
    await page.getByRole('link', { name: 'Guides' }).click();
    await page.waitForURL('**/guides');
    goOn();
    const notice = page.getByRole('region', { name: 'Notices' });
    await notice.getByText('Your page was read.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/guides');
    await notice.getByRole('link', { name: 'Open' }).click();
    await page.waitForURL('**/review/*');
    await context.close();
  });

  it('says in words what to do when the balance is used up', async () => {
    const poor = await createWorkspace({ balanceKrw: 100, freeCallsUsed: 10 });
    const { page, context } = await visitConsole(browsing.browser, browsing.service, poor);
    await page.getByRole('button', { name: 'Read the sample page' }).click();
    await page.getByRole('alert').getByText('Top up under Account').waitFor();
    await context.close();
  });
});

describe('a review', () => {
  it('a review works by keyboard alone: corrections, acceptances and an undo, which are saved separately from the reading', async () => {
    const id = await extracted(sample);
    const before = await read(id);
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(`/review/${id}`);
    await page.locator('li[aria-current]').waitFor();
    const began = performance.now();
    const open = before.items.flatMap(({ needsReview }, index) => (needsReview ? [index] : []));
    expect(open.length).toBe(12);
    // Two lines are corrected, each in the field that its note is about.
    for (const price of ['111', '222']) {
      await page.keyboard.press('e');
      await page.getByLabel('Unit price').fill(price);
      await page.keyboard.press('Enter');
    }
    for (let i = 2; i < open.length; i++) await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('0 lines to review').waitFor();
    await saved(page);
    console.log(
      `A page of 12 lines with two corrections by keyboard: ${((performance.now() - began) / 1000).toFixed(1)} s.`,
    );
    await page.keyboard.press('u');
    await page.getByRole('status').getByText('1 line to review').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('0 lines to review').waitFor();
    await eventually(async () => (await read(id)).review?.openLines).toBe(0);
    const { items, review } = await read(id);
    expect(items).toEqual(before.items);
    const corrected = review!.lines.filter(({ decision }) => decision === 'corrected');
    expect(corrected.map(({ before: was, after, by }) => ({ was, after, by }))).toEqual(
      [111, 222].map((unitPrice, line) => ({
        was: { unitPrice: before.items[line]!.unitPrice },
        after: { unitPrice },
        by: { kind: 'user', id: owner.userId },
      })),
    );
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('next line to review').waitFor();
    await page.keyboard.press('Escape');
    await context.close();
  });

  it('is checked as a person types: drugs of the list, its price, the products, a new light', async () => {
    const { requestId } = (await extractWhenFree(browsing.service, owner, { image: short.toString('base64') }))
      .json as {
      requestId: string;
    };
    const { items } = await read(requestId);
    const [{ drugCode, drugName, unitPrice }] = items as [(typeof items)[number]];
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(`/review/${requestId}`);
    const first = page.locator('li[data-index="0"]');
    await first.click();
    await first.getByRole('button', { name: 'Edit' }).click();
    const light = first.locator('form').getByRole('status');
    for (const [text, fault] of [
      ['abc', 'Not a number'],
      ['-5', 'Cannot be below zero'],
    ] as const) {
      await first.getByLabel('Amount').fill(text);
      await first.getByText(fault).waitFor();
      expect(await first.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    }
    await first.getByLabel('Amount').fill('7');
    await light.getByText('The amount is not price × quantity.').waitFor();
    await light.getByText('RED').waitFor();
    await light.getByRole('button', { name: /^Take [\d,]+$/ }).click();
    await first.getByLabel('Unit price').fill('1');
    await light.getByRole('button', { name: 'Take the list’s price' }).click();
    expect(await first.getByLabel('Unit price').inputValue()).toBe(String(unitPrice));
    await first.getByLabel('Code').fill('000000000');
    await light.getByText('The drug list has no such code.').waitFor();
    await first.getByLabel('Name').fill(drugName!.slice(0, 3));
    await first.getByRole('region', { name: 'Drugs of the list' }).getByRole('button', { name: drugCode! }).click();
    expect(await first.getByLabel('Code').inputValue()).toBe(drugCode);
    await light.getByText('GREEN').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await first.getByLabel('Quantity', { exact: true }).fill('9');
    await first.getByRole('button', { name: 'Save' }).click();
    await first.getByText('corrected').waitFor();
    await first.click();
    await page.keyboard.press('Enter');
    await eventually(async () => (await read(requestId)).review?.lines[0]?.after).toMatchObject({ quantity: 9 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await read(requestId)).review?.lines.length).toBe(0);
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await context.close();
  });

  it('shows the page of a PDF, lights up the doubted cell, and stays in sight on a phone', async () => {
    const imageUrl = await uploadedPicture(browsing.service, owner, await pdfOf(sample, 2), 'application/pdf');
    const body = { imageUrl, page: 2, serviceDate: '1999-01-01' };
    const { requestId } = (await extractWhenFree(browsing.service, owner, body)).json as { requestId: string };
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner, {
      width: 375,
      height: 700,
    });
    await page.goto(`/review/${requestId}`);
    await page.locator('svg image[href^="blob:"]').waitFor();
    const doubted = page.locator('g[data-lit=true] polygon[data-doubted]');
    await eventually(() => doubted.count()).toBe(1);
    expect(await page.locator('g[data-lit=true] polygon').count()).toBeGreaterThan(3);
    for (let line = 1; line < 12; line++) await page.keyboard.press('j');
    const picture = page.getByRole('region', { name: 'The page' });
    await eventually(async () => (await page.locator('li[aria-current]').boundingBox())!.y).toBeLessThan(700);
    const [shown, row] = [await picture.boundingBox(), await page.locator('li[aria-current]').boundingBox()];
    expect(shown!.y).toBeGreaterThanOrEqual(0);
    expect(shown!.y + shown!.height).toBeLessThanOrEqual(row!.y + 1);
    await expectNoSidewaysScroll(page);
    await context.close();
  });

  it('in two tabs keeps both people’s lines, and asks where they decided one differently', async () => {
    const id = await extracted();
    const [one, two] = [
      await visitConsole(browsing.browser, browsing.service, owner),
      await visitConsole(browsing.browser, browsing.service, owner),
    ];
    for (const { page } of [one, two]) {
      await page.goto(`/review/${id}`);
      await page.locator('li[aria-current]').waitFor();
    }
    await one.page.keyboard.press('Enter');
    await saved(one.page);
    await eventually(async () => (await read(id)).review?.version).toBe(1);
    await two.page.keyboard.press('x');
    await two.page.getByRole('alert').getByText('Line 1: another person decided “accepted” meanwhile.').waitFor();
    expect((await read(id)).review?.lines).toMatchObject([{ index: 0, decision: 'accepted' }]);
    await two.page.getByRole('button', { name: 'Keep mine' }).click();
    await eventually(async () => (await read(id)).review?.lines[0]?.decision).toBe('not_a_line');
    // The next line of the first tab meets another version, but no other decision.
    await one.page.keyboard.press('Enter');
    await eventually(async () =>
      (await read(id)).review?.lines.map(({ index, decision }) => [index, decision]),
    ).toEqual([
      [0, 'not_a_line'],
      [1, 'accepted'],
    ]);
    for (const { context } of [one, two]) await context.close();
  });

  it('loses nothing when the network fails or the session ends', async () => {
    const id = await extracted();
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(`/review/${id}`);
    await page.locator('li[aria-current]').waitFor();
    await context.setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await context.setOffline(false);
    await page.reload();
    await eventually(async () => (await read(id)).review?.lines.length).toBe(1);

    await page.locator('li[aria-current]').waitFor();
    await context.clearCookies();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => (await read(id)).review?.lines.length).toBe(2);
    await context.close();
  });

  it('is exported as CSV and XLSX, without a text that a spreadsheet would run', async () => {
    const id = await extracted();
    const body = {
      version: 0,
      lines: [{ index: 0, decision: 'corrected', values: { drugName: '=HYPERLINK("http://x")' } }],
    };
    expect(
      (await call(browsing.service, 'PUT', `/api/v1/extractions/${id}/review`, { key: owner.apiKey, body })).status,
    ).toBe(200);
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(`/review/${id}`);
    await page.getByText('Export', { exact: true }).click();
    const file = async (format: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: format }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${id}.${format === 'training data' ? 'jsonl' : format.toLowerCase()}`);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    };
    const examples = (await file('training data')).toString('utf8').trim().split('\n');
    expect(examples.map((line) => JSON.parse(line))).toMatchObject([
      { extractionId: id, index: 0, decision: 'corrected', corrected: { drugName: '=HYPERLINK("http://x")' } },
    ]);
    const csv = (await file('CSV')).toString('utf8');
    expect(csv.trim().split('\r\n')).toHaveLength(4);
    expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`);
    const { readSheet } = await import('read-excel-file/node');
    const rows = await readSheet(await file('XLSX'));
    expect(rows).toHaveLength(4);
    expect(rows[1]).toContain('=HYPERLINK("http://x")');
    await context.close();
  });
});

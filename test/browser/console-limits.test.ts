import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { call, extractWhenFree } from '../helpers/api.ts';
import { useBrowser } from '../helpers/browser.ts';
import { applicationOn } from '../helpers/chat.ts';
import { eventually, visitConsole } from '../helpers/console.ts';
import { oneLinePage } from '../helpers/page-images.ts';
import { hangs, type ScriptedProvider, says, scriptedProvider } from '../helpers/scripted-provider.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
let provider: ScriptedProvider;
let folder: string;
let small: Buffer;

const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000 });
  provider = await scriptedProvider();
  folder = await mkdtemp(join(tmpdir(), 'tripod-files-'));
  small = await oneLinePage();
});
afterAll(async () => {
  await provider?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const { service } = browsing;
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const picker = (page: Page) => page.locator('input[type=file][multiple]');
const visit = () => visitConsole(browsing.browser, service, owner);
const api = async (method: string, path: string, body?: object) => {
  const response = await call(service, method, `/api/v1/${path}`, { key: owner.apiKey, ...(body && { body }) });
  expect(response.status, JSON.stringify(response.json)).toBeLessThan(300);
  return response.json as { data: { id: string } };
};

describe('the console, given too much,', () => {
  it('names the file that is too large, and leaves out pages above a hundred', async () => {
    const { page, context } = await visit();
    await page.goto('/read');
    const large = join(folder, 'scan.png');
    await writeFile(large, Buffer.alloc(60 * 1024 * 1024));
    await picker(page).setInputFiles(large);
    await page.getByRole('alert').getByText('scan.png: is larger than 18 MB. Scale it down').waitFor();
    const names = Array.from({ length: 101 }, (_, i) => ({ name: `${i}.png`, mimeType: 'image/png', buffer: small }));
    await picker(page).setInputFiles(names);
    await page.getByRole('alert').getByText('100.png: at most 100 pages are read at a time.').waitFor();
    await page.getByText(/100 pages, at most ₩[\d,]+/).waitFor();
    await context.close();
  });

  it('shows why a picture of too many pixels is refused, and keeps it in the list', async () => {
    const { page, context } = await visit();
    await page.goto('/read');
    const background = '#ffffff';
    const huge = await sharp({
      create: { width: 12_000, height: 9_000, channels: 3, background },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    await picker(page).setInputFiles([{ name: 'huge.png', mimeType: 'image/png', buffer: huge }]);
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('This is too large.').waitFor();
    await alert.getByText('megapixels').waitFor();
    await page.getByText('huge.png').waitFor();
    await context.close();
  });

  it('says how long to wait after too many attempts to log in', async () => {
    const page = await browsing.browser.newPage({ locale: 'en-US', baseURL: service.baseUrl });
    await page.goto('/login');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password').fill('wrong password');
    const alert = page.getByRole('alert');
    for (let attempt = 0; attempt < 40 && !(await alert.getByText('Too many requests').isVisible()); attempt++) {
      const answer = page.waitForResponse('**/auth/login');
      await page.getByRole('button', { name: 'Log in' }).click();
      await answer;
    }
    await alert.getByText(/Try again in \d+ s/).waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('wrong password');
    await page.close();
  });
});

describe('hostile content', () => {
  it('in names of drugs and files, and in PDFs, is shown as text or refused in words', async () => {
    const { page, context, complaints } = await visit();
    const body = { image: small.toString('base64') };
    const { requestId } = (await extractWhenFree(service, owner, body)).json as { requestId: string };
    await api('PUT', `extractions/${requestId}/review`, {
      version: 0,
      lines: [{ index: 0, decision: 'corrected', values: { drugName: HOSTILE } }],
    });
    await page.goto(`/review/${requestId}`);
    await page.getByText('<script>document.title=2</script>').waitFor();
    await page.goto('/read');
    const script =
      '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF';
    await picker(page).setInputFiles([
      { name: `${HOSTILE}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from(script) },
    ]);
    await page.getByText('<script>document.title=2</script>.pdf').waitFor();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByRole('alert').getByText('The service cannot use this.').waitFor();
    expect([await page.title(), complaints]).toEqual([expect.stringMatching(/ · Tripod$/), []]);
    await context.close();
  });

  it('in the answer of a model runs nothing, and gives no link that would', async () => {
    const { id } = await applicationOn({ ...service, apiKey: owner.apiKey }, provider.baseUrl);
    provider.plays(
      says(`${HOSTILE}\n\n[press](javascript:document.title=3) ![x](https://example.com/x.png)\n\nThe end.`),
    );
    const { page, context, complaints } = await visit();
    await page.goto(`/applications/${id}`);
    await page.getByLabel('Ask something').fill('Hello');
    await page.getByLabel('Ask something').press('Enter');
    const log = page.getByRole('log');
    await log.getByText('The end.').waitFor();
    expect(await log.locator('img, script, iframe').count()).toBe(0);
    expect(await log.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([]);
    expect([await page.title(), complaints]).toEqual([expect.stringMatching(/ · Tripod$/), []]);
    await context.close();
  });
});

describe('nothing typed is lost', () => {
  it('when a model never answers, or the network goes in the middle of its answer', async () => {
    const { id } = await applicationOn({ ...service, apiKey: owner.apiKey }, provider.baseUrl);
    provider.plays(hangs(), hangs('The hours ', 'are '));
    const { page, context } = await visit();
    await page.goto(`/applications/${id}`);
    const field = page.getByLabel('Ask something');
    await field.fill('When do you open?');
    await field.press('Enter');
    await page.getByText('The model has not answered yet.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await field.inputValue()).toBe('When do you open?');

    await field.press('Enter');
    await page.getByRole('log').getByText('The hours').waitFor();
    await context.setOffline(true);
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(await field.inputValue()).toBe('When do you open?');
    await page.getByRole('log').getByText('The hours').waitFor();
    await context.close();
  });

  it('when the network goes in the middle of an upload, which then resumes', async () => {
    const { page, context } = await visit();
    await page.goto('/read');
    await picker(page).setInputFiles(
      ['one.png', 'two.png', 'three.png'].map((name) => ({ name, mimeType: 'image/png', buffer: small })),
    );
    let uploads = 0;
    page.on('request', (request) => {
      if (request.method() !== 'PUT') return;
      uploads += 1;
      if (uploads === 2) void context.setOffline(true);
    });
    await page.route(
      (url) => url.origin !== service.baseUrl,
      async (route) => (uploads === 2 ? route.abort('internetdisconnected') : route.continue()),
    );
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await page.getByText('three.png').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('3 of 3 read').waitFor({ timeout: 60_000 });
    expect(uploads).toBe(4);
    await context.close();
  });

  it('when the session ends while a line is being edited', async () => {
    const body = { image: small.toString('base64') };
    const { requestId } = (await extractWhenFree(service, owner, body)).json as { requestId: string };
    const { page, context } = await visit();
    await page.goto(`/review/${requestId}`);
    await page.locator('li[aria-current]').waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Unit price').fill('111');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const review = async () =>
      (await call(service, 'GET', `/api/v1/extractions/${requestId}`, { key: owner.apiKey })).json as {
        review: { lines: { after: object }[] } | null;
      };
    await eventually(async () => (await review()).review?.lines[0]?.after).toEqual({ unitPrice: 111 });
    await context.close();
  });

  it('when two people edit a workflow: the second decides whose stays', async () => {
    const graph = (text: string) => ({
      nodes: [
        { id: 'start', type: 'start', data: { config: { fields: [] } } },
        { id: 'end', type: 'answer', data: { config: { text } } },
      ],
      edges: [{ source: 'start', target: 'end' }],
    });
    const { data } = await api('POST', 'workflows', { name: 'Of two', graph: graph('One') });
    await api('POST', `workflows/${data.id}/versions`, {});
    const { page, context } = await visit();
    await page.goto(`/workflows/${data.id}`);
    await page.locator('.react-flow__node[data-id=end]').click();
    await page.getByLabel('Text', { exact: true }).fill('Mine');
    await api('PATCH', `workflows/${data.id}`, { graph: graph('Theirs') });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText('This workflow has been saved by another person since you opened it.')
      .waitFor();
    const stored = async () => JSON.stringify(await api('GET', `workflows/${data.id}`));
    expect(await stored()).toContain('Theirs');
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await eventually(stored).toContain('Mine');

    // The published version next to the draft.
    await page.getByRole('button', { name: 'Compare with the draft' }).click();
    const versions = page.getByRole('region', { name: 'Published versions' });
    await versions.getByText('"text": "One"').waitFor();
    await versions.getByText('"text": "Mine"').waitFor();

    // Nodes light up by the events of the run.
    await page.getByRole('button', { name: 'Run the draft' }).click();
    await page.getByRole('region', { name: 'Run', exact: true }).getByText('Mine').waitFor();
    await eventually(() => page.locator('.react-flow__node .bg-good-back').count()).toBe(2);
    await context.close();
  });
});

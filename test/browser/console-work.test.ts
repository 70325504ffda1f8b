import { expect, it } from 'vitest';
import { call } from '../helpers/api.ts';
import { useBrowser } from '../helpers/browser.ts';
import { eventually, settled, visitConsole } from '../helpers/console.ts';
import { type FilledPages, filledWorkspace } from '../helpers/filled-workspace.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
let pages: FilledPages;
const browsing = useBrowser(async () => {
  owner = await createWorkspace({ balanceKrw: 100_000 });
  pages = await filledWorkspace(browsing.service, owner);
});
const visit = () => visitConsole(browsing.browser, browsing.service, owner);
const api = (method: string, path: string, body?: object) =>
  call(browsing.service, method, `/api/v1${path}`, { key: owner.apiKey, ...(body && { body }) });

it('the sandbox shows output while the program runs, and keeps code and language over a reload', async () => {
  const { page, context } = await visit();
  await page.goto('/sandbox');
  await page.getByLabel('Language', { exact: true }).last().selectOption('python');
  const program =
    'import sys, time\nprint("first", flush=True)\nsys.stdin.readline()\ntime.sleep(2)\nprint("second")\n';
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.click();
  await page.locator('.cm-editor').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(program);
  await page.getByText('Back to the example').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.locator('pre', { hasText: 'first' }).waitFor();
  expect(await result.innerText()).not.toContain('second');
  await result.locator('pre', { hasText: 'second' }).waitFor();
  await result.getByText('exit code 0').waitFor();
  await result.getByText('folder out/').waitFor();
  await page.reload();
  await eventually(() => page.getByRole('textbox', { name: 'Code' }).inputValue()).toContain('second');
  await page.getByRole('button', { name: 'Back to the example' }).click();
  await eventually(() => page.getByRole('textbox', { name: 'Code' }).inputValue()).toContain('Hello');
  await context.close();
});

it('the audit trail is in words, with names, and can be filtered', async () => {
  const { page, context } = await visit();
  await page.goto('/account?tab=audit');
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'Logged in' }).filter({ hasText: owner.email }).first().waitFor();
  await rows.filter({ hasText: 'Application created' }).filter({ hasText: '약국 안내' }).waitFor();
  await page.getByLabel('What', { exact: true }).selectOption('applications');
  await eventually(() => rows.filter({ hasText: 'Logged in' }).count()).toBe(0);
  await page.getByLabel('Filter by person, action or address').fill('약국');
  await eventually(() => rows.count()).toBe(1);
  await page.getByLabel('Filter by person, action or address').fill('nobody');
  await page.getByText('No matching entries.').waitFor();
  await context.close();
});

it('an answer shows its steps with durations, and its sources in a pop-up', async () => {
  const base = pages.base.split('/').at(-1)!;
  const path = `/applications/${pages.application.split('/').at(-1)}`;
  await eventually(async () => {
    const { json } = await api('GET', `/knowledge-bases/${base}/documents`);
    return (json as { data: { documents: { status: string }[] } }).data.documents[0]?.status;
  }).toBe('ready');
  expect((await api('PATCH', path, { config: { knowledge_bases: [base] } })).status).toBe(200);
  const { page, context } = await visit();
  await page.goto(pages.application);
  await page.getByLabel('Ask something').fill('영업시간');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '1 source' }).click();
  const sources = page.getByRole('dialog', { name: 'Sources of this answer' });
  await sources.getByText('아홉 시부터').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('1 step', { exact: true }).click();
  await page.locator('summary', { hasText: 'Search' }).filter({ hasText: '영업시간' }).waitFor();
  await context.close();
});

it('settings name the reason for greyed tools, show whether changes are saved, and share an application as a tool', async () => {
  const { page, context } = await visit();
  await page.goto(pages.application);
  await page.getByText('The embedded answers of this application call no tools.').waitFor();
  expect(await page.getByLabel('Draws charts').isDisabled()).toBe(true);
  await page.getByText(/^Saved · /).waitFor();
  await page.getByLabel('Offer it as a tool').check();
  await page.getByText('Not saved yet').waitFor();
  await page.getByLabel('What it is good for').fill('Opening hours');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved · /).waitFor();
  const mcp = async () => {
    const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const response = await fetch(`${browsing.service.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(listed),
    });
    return response.text();
  };
  expect(await mcp()).toContain('Opening hours');
  await page.getByLabel('Offer it as a tool').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(mcp).not.toContain('Opening hours');
  await context.close();
});

it('approvals and forms of all workflows are listed, and decided in the list', async () => {
  const { page, context } = await visit();
  await page.goto('/workflows');
  await page.getByRole('link', { name: '2 runs wait for an approval or a form' }).click();
  const refund = page.getByRole('listitem').filter({ hasText: '환불할까요?' });
  await refund.waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: '예약' })
    .getByRole('link', { name: 'Fill in the form' })
    .waitFor();
  await refund.getByRole('button', { name: 'Approve' }).click();
  await refund.waitFor({ state: 'detached' });
  const { json } = await api('GET', `/runs/${pages.approvalRun.split('run=')[1]}`);
  expect((json as { data: { status: string } }).data.status).toBe('succeeded');
  await context.close();
});

it('a chatflow is tried in a chat box, which keeps the messages and their answers', async () => {
  const { page, context } = await visit();
  await page.goto(pages.chatflow);
  const box = page.getByLabel('Message', { exact: true });
  for (const said of ['하나', '둘']) {
    await box.fill(said);
    await page.keyboard.press('Enter');
    await page.getByRole('log', { name: 'Chat' }).getByText(`들은 말: ${said}`).waitFor();
  }
  const log = await page.getByRole('log', { name: 'Chat' }).innerText();
  expect(log.indexOf('들은 말: 하나')).toBeLessThan(log.indexOf('들은 말: 둘'));
  await context.close();
});

it('guides have a list at their side, a search in all of them, and buttons that copy code', async () => {
  const { page, context } = await visit();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/guides/quickstart.md');
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Sandbox' }).click();
  await page.waitForURL('**/guides/sandbox.md');
  await settled(page);
  await page.getByLabel('Search the guides').fill('quickstart python');
  await page.getByLabel('Search the guides').fill('Idempotency-Key');
  const found = page.getByRole('list', { name: 'Found places' }).getByRole('link');
  await found.first().click();
  await page.waitForURL((url) => url.pathname.startsWith('/guides/') && !url.pathname.endsWith('sandbox.md'));
  await page.goto('/guides/quickstart.md');
  const block = page.locator('.prose .group').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByText('Copied').waitFor();
  const shown = await block.locator('code').innerText();
  expect((await page.evaluate<string>('navigator.clipboard.readText()')).trim()).toBe(shown.trim());
  await context.close();
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NAVIGATION } from '../../console/src/app/navigation.ts';
import { startPlatformServer } from '../../local/played-platforms/server.ts';
import { call } from '../helpers/api.ts';
import { useBrowser } from '../helpers/browser.ts';
import { createChannel } from '../helpers/channels.ts';
import { accessibilityFaults, eventually, expectNoSidewaysScroll, settled, visitConsole } from '../helpers/console.ts';
import { joinedMember, mailTo, tokenOf } from '../helpers/members.ts';
import { publishedWorkflow, runWorkflow } from '../helpers/workflows/calls.ts';
import { graph, node as graphNode } from '../helpers/workflows/graphs.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

let owner: TestWorkspace;
const browsing = useBrowser(async () => {
  owner = await createWorkspace();
  await fill();
});

describe('the console', () => {
  it('sends who is not logged in to the login, and back to where they wanted to go', async () => {
    const page = await browsing.browser.newPage({ locale: 'ko-KR', baseURL: browsing.service.baseUrl });
    await page.goto('/account');
    await page.getByLabel('이메일').fill(owner.email);
    await page.getByLabel('비밀번호').fill('wrong password');
    await page.getByRole('button', { name: '로그인', exact: true }).click();
    await page.getByText('이메일이나 비밀번호가 틀렸거나').waitFor();
    await page.getByLabel('비밀번호').fill(owner.password);
    await page.getByRole('button', { name: '로그인', exact: true }).click();
    await page.getByRole('heading', { name: '계정' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.close();
  });

  it('has no serious fault of accessibility and no sideways scroll on any page, in both languages, light and dark', async () => {
    const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, owner);
    for (const path of pages) {
      await page.goto(path);
      await settled(page);
      for (const width of [375, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page);
      }
      for (const language of ['en', 'ko']) {
        await page.locator('select').filter({ hasText: '한국어' }).selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        // The dark colours are the same in both.
        for (const theme of language === 'en' ? ['light', 'dark'] : ['light']) {
          await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
          const faults = await accessibilityFaults(page, theme === 'dark' ? { rules: ['color-contrast'] } : {});
          expect(faults, `${path} ${language} ${theme}`).toEqual([]);
        }
      }
    }
    expect(complaints).toEqual([]);
    // Names and texts that look like markup are shown as they are.
    expect(await page.title()).toMatch(/ · Tripod$/);
    await context.close();
  });

  it('shows the place of a guide that an error’s link names', async () => {
    const refused = await fetch(`${browsing.service.baseUrl}/api/v1/balance`);
    const [, path] = /^<(.+)>; rel="help"$/.exec(refused.headers.get('link') ?? '') ?? [];
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(path!);
    await page.getByRole('cell', { name: 'invalid_key', exact: true }).waitFor();
    await page.waitForFunction(`document.getElementById('invalid_key').getBoundingClientRect().top < innerHeight`);
    expect(await page.locator('article').textContent()).not.toContain('<a id');
    await context.close();
  });

  it('shows a viewer nothing that would be refused, on any page', async () => {
    const viewer = await joinedMember(browsing.service, owner, 'viewer');
    const { page, context } = await visitConsole(browsing.browser, browsing.service, viewer);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    for (const path of pages) {
      await page.goto(path);
      await settled(page);
      const buttons = await page.locator('main button:enabled:not([data-shows])').allInnerTexts();
      const harmless =
        /^(Copy|Open|Sign out|Load more|CSV|XLSX|Search|Restart|✕|Keys|[−+]|Export|More|Compare with the draft|Enrol a second factor|)$/;
      expect(
        buttons.filter((text) => !harmless.test(text.trim())),
        path,
      ).toEqual([]);
    }
    expect(refused).toEqual([]);
    await context.close();
  });

  it('makes an application, streams its answer with its steps, and keeps the conversation for a rating', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto('/applications');
    await page.getByRole('button', { name: 'New application' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Opening hours');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/applications/*-*');
    await page.getByLabel('System prompt').fill('Answer briefly.');
    await page.getByRole('checkbox', { name: HOSTILE }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Ask something').fill('What are the opening hours?');
    await page.getByLabel('Ask something').press('Enter');
    const log = page.getByRole('log');
    await eventually(() => log.innerText()).toContain('nine to five');
    expect(await page.title()).toMatch(/ · Tripod$/);
    await log.getByText(/^\d steps?$/).click();
    await log.locator('summary', { hasText: 'Search What are the opening hours?' }).first().waitFor();
    await page.getByRole('button', { name: /What are the opening hours/ }).click();
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.locator('button[aria-label="Good answer"][aria-pressed=true]').waitFor();
    await page.getByRole('button', { name: 'New public token' }).click();
    await page.getByText(`<script src="${browsing.service.baseUrl}/embed.js" data-token="`).waitFor();

    // The network goes away in the middle: the unsent text comes back into the field.
    await context.setOffline(true);
    await page.getByLabel('Ask something').fill('And on Sundays?');
    await page.getByLabel('Ask something').press('Enter');
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(await page.getByLabel('Ask something').inputValue()).toBe('And on Sundays?');
    await context.close();
  });

  it('indexes a file and finds it, and runs a program', async () => {
    const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, owner);
    const handbook = `Handbook ${randomUUID()}`;
    await page.goto('/knowledge');
    await page.getByRole('button', { name: 'New knowledge base' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(handbook);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: handbook }).waitFor();
    const buffer = Buffer.from('# Parking\n\nVisitors park behind the house.');
    await page.locator('input[type=file]').setInputFiles([{ name: 'parking.md', mimeType: 'text/markdown', buffer }]);
    await page.getByText('ready', { exact: true }).waitFor();
    await page.getByLabel('What to look for').fill('Where do visitors park?');
    await page.locator('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('Visitors park behind the house.').waitFor();

    await page.goto('/sandbox');
    await page.getByRole('textbox', { name: 'Code' }).focus();
    await page.locator('.cm-content').waitFor();
    const lines = [
      'import sys, os',
      'print("Hello", sys.stdin.read())',
      'open("out/copy.txt", "w").write(open("in.txt").read())',
    ];
    await page.getByRole('textbox', { name: 'Code' }).press('ControlOrMeta+a');
    await page.keyboard.type(lines.join('\n'));
    const text = { name: 'in.txt', mimeType: 'text/plain', buffer: Buffer.from('carried over') };
    await page.locator('input[type=file]').setInputFiles([text]);
    await page.getByRole('button', { name: /in\.txt/ }).waitFor();
    await page.getByLabel('Standard input').fill('Ann');
    await page.getByRole('button', { name: 'Run' }).click();
    const ended = page.getByText(/exit code \d/).or(page.getByRole('alert'));
    await ended.first().waitFor({ timeout: 60_000 });
    expect(await page.getByRole('region', { name: 'Result' }).innerText()).toContain('exit code 0');
    expect(await page.getByRole('region', { name: 'stdout' }).innerText()).toContain('Hello Ann');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('copy.txt');
    // The editor's styles are sheets of its script, which the page's policy allows. What Chromium itself wants to write into replaced text, it does not.
    const editor = "[...document.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot).shadowRoot";
    const display = `getComputedStyle(${editor}.querySelector('.cm-scroller')).display`;
    expect(await page.evaluate(display)).toBe('flex');
    expect(complaints.filter((text) => !text.startsWith('Applying inline style'))).toEqual([]);
    await page.reload();
    await page.getByRole('table').getByRole('button').click();
    await eventually(() => page.getByRole('region', { name: 'stdout' }).innerText()).toContain('Hello Ann');
    await context.close();
  });

  it('draws a workflow, says at which node it is wrong, runs it, and lets a person approve', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, owner);
    await page.goto(pages.find((path) => path.startsWith('/workflows/'))!);
    await eventually(() => page.locator('.react-flow__node').count()).toBe(3);
    await page.locator('.react-flow__node[data-id=end]').click();
    await page.getByLabel('Text', { exact: true }).fill('Hello {{nobody.name}}');
    await page.getByRole('status').getByText('nobody').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('Good day, {{start.name}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('name', { exact: true }).fill('Ann');
    await page.getByRole('button', { name: 'Run the draft' }).click();
    await page.getByText('Greet Ann').first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Good day, Ann').first().waitFor();
    await eventually(() => page.locator('.react-flow__node .bg-good-back').count()).toBe(3);
    await context.close();
  });

  it('compares a listed run of a workflow with the shown one', async () => {
    const theirs = await createWorkspace();
    const nodes = [
      graphNode('start', 'start', { fields: [{ name: 'name', type: 'text' }] }),
      graphNode('end', 'answer', { text: 'For {{start.name}}' }),
    ];
    const workflow = await publishedWorkflow({ ...browsing.service, ...theirs }, graph(nodes, ['start > end']));
    for (const name of ['Ann', 'Ben'])
      await runWorkflow({ ...browsing.service, ...theirs }, workflow, { inputs: { name } });
    const { page, context } = await visitConsole(browsing.browser, browsing.service, theirs);
    await page.goto(`/workflows/${workflow}`);
    await page
      .getByRole('button', { name: /succeeded/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Compare with the shown run' }).click();
    await page.getByText('Outputs text: "For Ben" → "For Ann"').waitFor();
    await page.getByText('Difference:').waitFor();
    await context.close();
  });

  it('shows the missing connections of an imported workflow at their nodes', async () => {
    const dsl = `app: { name: Imported, mode: advanced-chat }
workflow:
  graph:
    nodes:
      - { id: '1', data: { type: start, title: Start, variables: [] } }
      - { id: '2', data: { type: llm, title: Think, model: { provider: openai, name: gpt-x, mode: chat }, prompt_template: [{ role: user, text: Hi }] } }
      - { id: '3', data: { type: answer, title: Answer, answer: '{{#2.text#}}' } }
    edges:
      - { id: a, source: '1', target: '2', sourceHandle: source }
      - { id: b, source: '2', target: '3', sourceHandle: source }
`;
    const { page, context } = await visitConsole(browsing.browser, browsing.service, await createWorkspace());
    await page.goto('/workflows');
    const file = { name: 'imported.yml', mimeType: 'text/yaml', buffer: Buffer.from(dsl) };
    await page.getByRole('button', { name: 'Import from Dify' }).first().click();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('status').getByRole('link', { name: 'Imported' }).click();
    await page.locator('.react-flow__node').filter({ hasText: 'Think' }).click();
    await page.getByRole('region', { name: 'Think' }).getByRole('listitem').getByText(/gpt-x/).first().waitFor();
    await context.close();
  });

  it('shows on the home page which runs of workflows failed lately, and why', async () => {
    const automator = await createWorkspace();
    const theirs = { ...browsing.service, ...automator };
    const nodes = [graphNode('start', 'start'), graphNode('fetch', 'http_request', { url: 'nowhere' })];
    const workflow = await publishedWorkflow(theirs, graph(nodes, ['start > fetch']));
    await runWorkflow(theirs, workflow);
    const { page, context } = await visitConsole(browsing.browser, browsing.service, automator);
    await page.getByText(/config\.url/).waitFor();
    await page.getByRole('link', { name: '1 run of a workflow failed within 7 days' }).click();
    await page.waitForURL(`**/workflows/${workflow}?*`);
    await context.close();
  });

  it('sends a test message by a channel, and shows what the platform answers', async () => {
    const platform = await startPlatformServer();
    const messenger = await createWorkspace();
    await createChannel({ ...browsing.service, ...messenger }, 'slack', platform.baseUrl);
    const { page, context } = await visitConsole(browsing.browser, browsing.service, messenger);
    await page.goto('/channels');
    await page.getByRole('button', { name: 'Test message' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Send it to').fill('C0123456789');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('The platform has taken the message.').waitFor();
    expect(platform.delivered.map(({ body }) => body.channel)).toEqual(['C0123456789']);
    platform.plays({ status: 200, body: { ok: false, error: 'channel_not_found' } });
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('The platform has refused it: channel_not_found').waitFor();
    await context.close();
    await platform.stop();
  });

  it('sets a new password by the link of a mail', async () => {
    const forgetful = await createWorkspace();
    const page = await browsing.browser.newPage({ locale: 'en-US', baseURL: browsing.service.baseUrl });
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot the password' }).click();
    await page.getByRole('heading', { name: 'Forgot the password' }).waitFor();
    await page.getByLabel('E-mail').fill(forgetful.email);
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    const token = tokenOf(await mailTo(browsing.service, forgetful.email));
    await page.goto(`/reset-password#token=${token}`);
    await page.getByLabel('Password').fill('quite another password');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('E-mail').fill(forgetful.email);
    await page.getByLabel('Password').fill('quite another password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.close();
  });

  it('shows a new key once, revokes it, and books a payment', async () => {
    const { page, context } = await visitConsole(browsing.browser, browsing.service, await createWorkspace());
    await page.goto('/account');
    await page.getByLabel('Amount in KRW').first().fill('5000');
    await page.getByLabel('Reference').fill('transfer 1');
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByText('₩15,000').first().waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name').fill('accounting');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Copy the key now').waitFor();
    const row = page.getByRole('row', { name: /accounting/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    await context.close();
  });
});

/** Every page, with something on it. */
let pages: readonly string[];

/** Names and texts as an attacker would choose them. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

const greeting = (title: string) => ({
  nodes: [
    { id: 'start', type: 'start', data: { title, config: { fields: [{ name: 'name', type: 'text' }] } } },
    {
      id: 'ask',
      type: 'approval',
      data: { title: 'Ask first', config: { message: 'Greet {{start.name}}' } },
    },
    { id: 'end', type: 'answer', data: { title, config: { text: 'Hello {{start.name}}' } } },
  ],
  edges: [
    { source: 'start', target: 'ask' },
    { source: 'ask', target: 'end', sourceHandle: 'approved' },
  ],
});

async function fill(): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, json } = await call(browsing.service, 'POST', `/api/v1/${path}`, { key: owner.apiKey, body });
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return (json as { data: { id: string } }).data;
  };
  const application = await post('applications', { name: HOSTILE, type: 'chat' });
  await post(`applications/${application.id}/access-tokens`, { name: HOSTILE });
  const base = await post('knowledge-bases', { name: HOSTILE, description: HOSTILE });
  await post(`knowledge-bases/${base.id}/documents`, {
    title: HOSTILE,
    text: `The opening hours are nine to five. ${HOSTILE}`,
  });
  const secrets = { signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
  await post('channels', {
    ...{ name: HOSTILE, type: 'custom', application_id: application.id },
    ...{ secrets, settings: { url: 'https://example.com/hook' } },
  });
  await post('api-keys', { name: HOSTILE });
  const workflow = await post('workflows', { name: HOSTILE, graph: greeting(HOSTILE) });
  pages = [
    ...NAVIGATION.map(({ to }) => to),
    ...['usage', 'keys', 'members', 'data', 'security', 'audit'].map((tab) => `/account?tab=${tab}`),
    ...[
      `/applications/${application.id}`,
      `/knowledge/${base.id}`,
      `/workflows/${workflow.id}`,
      '/guides/quickstart.md',
    ],
  ];
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../helpers/browser.ts';
import { applicationOn, createToken, type ShownApplication } from '../helpers/chat.ts';
import { eventually } from '../helpers/console.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../helpers/scripted-provider.ts';

let provider: ScriptedProvider;
let application: ShownApplication;
let context: BrowserContext;
let page: Page;
/** Sites that embed the chatbot: another origin than the service. */
let site: Server;
let html = '';

const originOf = (host = '127.0.0.1') => `http://${host}:${(site.address() as AddressInfo).port}`;

const browsing = useBrowser(async () => {
  provider = await scriptedProvider();
  application = await applicationOn(service, provider.baseUrl);
  site = createServer((_, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      // As a careful page has it.
      .setHeader(
        'content-security-policy',
        `default-src 'none'; script-src ${service.baseUrl}; connect-src ${service.baseUrl}`,
      )
      .end(html),
  );
  await new Promise<void>((ready) => site.listen(0, ready));
});
afterAll(async () => {
  site?.close();
  await provider?.stop();
});
const { service } = browsing;
beforeEach(async () => {
  context = await browsing.browser.newContext({ locale: 'en-US' });
  page = await context.newPage();
});
afterEach(() => context?.close());

async function visit(token: string, { lang = '', attributes = '', host = '127.0.0.1' } = {}, visited = page) {
  html = `<!doctype html><html lang="${lang}"><title>a shop</title><h1>A shop</h1>
    <script src="${service.baseUrl}/embed.js" data-token="${token}" ${attributes} async></script>`;
  await visited.goto(originOf(host));
}

const open = (name: string, visited = page) => visited.getByRole('button', { name, exact: true }).click();

async function say(text: string, visited = page): Promise<void> {
  // While an answer comes, the button stops it.
  await visited.getByRole('button', { name: /^(Send|보내기)$/ }).waitFor();
  await visited.getByRole('textbox').fill(text);
  await visited.getByRole('textbox').press('Enter');
}

describe('the chatbot on a page of another origin', () => {
  it('answers in the page’s language, remembers the conversation, and shows markup as text', async () => {
    const { token } = await createToken(service, application.id, { allowed_origins: [originOf()] });
    provider.plays(says('안녕', ' <img src=x onerror="document.title=1">'), says('Ann'));
    await visit(token, { lang: 'ko', attributes: 'data-title="가게 상담"' });
    await open('채팅 열기');
    const log = page.getByRole('log', { name: '가게 상담' });
    await eventually(() => log.innerText()).toContain('무엇을 도와드릴까요?');
    await say('I am Ann');
    await eventually(() => log.innerText()).toContain('안녕 <img src=x onerror="document.title=1">');
    expect(await page.title()).toBe('a shop');
    await page.reload();
    await open('채팅 열기');
    await eventually(() => log.innerText()).toContain('I am Ann');
    await say('Who am I?');
    await eventually(() => provider.requests.length).toBe(2);
    expect(provider.requests[1]!.body.messages.map(({ content }) => content)).toEqual([
      ...['I am Ann', '안녕 <img src=x onerror="document.title=1">', 'Who am I?'],
    ]);
    await open('새 대화');
    expect(await log.innerText()).not.toContain('I am Ann');
    await say('Who am I?');
    await eventually(() => provider.requests.length).toBe(3);
    expect(provider.requests[2]!.body.messages.map(({ content }) => content)).toEqual(['Who am I?']);
  });

  it('is another one for another visitor', async () => {
    const { token } = await createToken(service, application.id);
    provider.plays(says('ok'));
    await visit(token);
    await open('Open the chat');
    await say('secret of Ann');
    await eventually(() => page.getByRole('log').innerText()).toContain('ok');
    const other = await (await browsing.browser.newContext({ locale: 'en-US' })).newPage();
    await visit(token, {}, other);
    await open('Open the chat', other);
    expect(await other.getByRole('log').innerText()).not.toContain('secret');
    await say('hello', other);
    await eventually(() => provider.requests.length).toBe(2);
    expect(JSON.stringify(provider.requests[1]!.body)).not.toContain('secret');
    await other.context().close();
  });

  it('says why it cannot answer: on a foreign page, and when the day’s budget is used up', async () => {
    const { token } = await createToken(service, application.id, { allowed_origins: [originOf()] });
    provider.plays(says('ok'));
    await visit(token, { host: 'localhost' });
    await open('Open the chat');
    await say('hello');
    await eventually(() => page.getByRole('log').innerText()).toContain('not available on this page');
    expect(provider.requests).toEqual([]);
    const { token: poor } = await createToken(service, application.id, { requests_per_day: 1 });
    await visit(poor, { attributes: 'data-lang="ko"' });
    await open('채팅 열기');
    await say('one');
    await eventually(() => page.getByRole('log').innerText()).toContain('ok');
    await say('two');
    await eventually(() => page.getByRole('log').innerText()).toContain('내일 다시');
    expect(provider.requests.length).toBe(1);
  });
});

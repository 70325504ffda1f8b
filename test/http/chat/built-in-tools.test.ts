import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { applicationOn, complete, contentOf } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { callsTool, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { startWebsite } from '../../helpers/website.ts';

const service = useService();

let provider: ScriptedProvider;
let website: Awaited<ReturnType<typeof startWebsite>>;
let application: string;
beforeAll(async () => {
  provider = await scriptedProvider();
  website = await startWebsite();
  const tools = [{ type: 'web_fetch' }, { type: 'time', name: 'current_time' }];
  application = (await applicationOn(service, provider.baseUrl, { tools })).id;
});
afterAll(async () => {
  website.stop();
  await provider.stop();
});
beforeEach(refillLimits);

/** The result of a call as the model gets it. */
async function resultOf(name: string, args: object): Promise<string> {
  provider.plays(callsTool(name, JSON.stringify(args)), says('done'));
  expect(contentOf(await complete(service, application, {}))).toBe('done');
  const { messages } = provider.requests.at(-1)!.body as { messages: { role: string; content: unknown }[] };
  return String(messages.findLast(({ role }) => role === 'tool')!.content);
}
const read = (path: string) => resultOf('web_fetch', { url: website.origin + path });

it('web_fetch returns the text of a page without its markup and scripts', async () => {
  const body =
    '<html><head><title>T</title><script>let x = 1</script></head><body><h1>Opening hours</h1><p>9 to 6 &amp; never on Sunday</p></body></html>';
  website.pages.set('/page', { body });
  const text = await read('/page');
  expect(text).toContain('Opening hours');
  expect(text).toContain('9 to 6 & never on Sunday');
  expect(text).not.toMatch(/let x|<p>/);
});

it('web_fetch returns JSON and plain text as they are', async () => {
  website.pages.set('/json', { type: 'application/json', body: '{"celsius": 21}' });
  website.pages.set('/text', { type: 'text/plain; charset=utf-8', body: '안녕 <b>' });
  expect(await read('/json')).toBe('{"celsius": 21}');
  expect(await read('/text')).toBe('안녕 <b>');
});

it.each([
  ['a page that is missing', '/missing', /answered with status 404/],
  ['a page without text', '/empty', /The page has no text/],
  ['a download', '/picture', /leads to image\/png. Only pages and texts are read/],
  ['a redirect into the own network', '/inside', /169\.254\.169\.254|public internet|not allowed/],
])('web_fetch names the fault of %s', async (_, path, message) => {
  website.pages.set('/empty', { body: '<html><body><div></div></body></html>' });
  website.pages.set('/picture', { type: 'image/png', body: 'x' });
  website.pages.set('/inside', { status: 302, headers: { location: 'http://169.254.169.254/' } });
  expect(await read(path)).toMatch(message);
});

it('a page of many megabytes is cut, and the model learns of it', async () => {
  website.pages.set('/much', { body: `<p>${'word '.repeat(600_000)}</p>` });
  const text = await read('/much');
  expect(text.length).toBeLessThan(45_000);
  expect(text).toMatch(/The result is longer; the rest is left out/);
});

it('web_fetch asks for an address where the model gives none', async () => {
  expect(await resultOf('web_fetch', {})).toContain('url must be the address of a page');
});

it('the time tool knows the date in a zone, and names an unknown zone', async () => {
  const year = String(new Date().getFullYear());
  expect(await resultOf('current_time', { time_zone: 'Asia/Seoul' })).toMatch(
    new RegExp(`${year}.*GMT\\+9.*Asia/Seoul`),
  );
  expect(await resultOf('current_time', {})).toMatch(/UTC/);
  expect(await resultOf('current_time', { time_zone: 'Moon' })).toContain('time_zone must be of the IANA list');
});

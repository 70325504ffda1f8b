import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { echoes, questions } from '../../helpers/channel-payloads.ts';
import { createChannel, deadLetters, eventually, type ShownChannel, webhookPath } from '../../helpers/channels.ts';
import { applicationOn } from '../../helpers/chat.ts';
import { listening } from '../../helpers/listening.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';

/** `examples/kakaotalk/bridge.mjs` between a played Kakao and the service. */

const service = useService();
const { listen, closedPort } = listening();
const SIGNING_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==';
const SKILL_PATH = '/skill-0123456789abcdef';

let provider: ScriptedProvider;
let application: { readonly id: string };
beforeAll(async () => {
  provider = await scriptedProvider();
  application = await applicationOn(service, provider.baseUrl);
});
afterAll(() => provider.stop());

/** Callbacks as Kakao takes them: each once, and only while it is valid. */
interface Callback {
  readonly texts: readonly string[];
  readonly status: string;
}
let callbacks: Callback[];
let callbackUrl: () => string;
let isExpired: boolean;
beforeEach(async () => {
  callbacks = [];
  isExpired = false;
  const used = new Set<string>();
  let issued = 0;
  const kakao = createServer(async (request, response) => {
    const { version, template } = (await json(request)) as {
      version: string;
      template: { outputs: { simpleText: { text: string } }[] };
    };
    const isTaken = version === '2.0' && !isExpired && !used.has(request.url!);
    used.add(request.url!);
    const status = isTaken ? 'SUCCESS' : 'FAIL';
    callbacks.push({ texts: template.outputs.map(({ simpleText }) => simpleText.text), status });
    response.writeHead(isTaken ? 200 : 400).end(JSON.stringify({ taskId: '1', status, message: '', timestamp: 1 }));
  });
  const port = await listen(kakao);
  callbackUrl = () => `http://127.0.0.1:${port}/v1/${++issued}`;
});

let bridge: { readonly process: ChildProcess; readonly url: string; readonly channel: ShownChannel };
afterEach(async () => {
  const ended = once(bridge.process, 'exit');
  bridge.process.kill();
  await ended;
});

async function startBridge(callbackSeconds = 55): Promise<void> {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const channel = await createChannel(service, 'custom', url, {
    application_id: application.id,
    secrets: { signing_secret: SIGNING_SECRET },
    settings: { url: `${url}/replies`, max_length: 1_000, text_format: 'plain' },
  });
  const env = {
    ...{
      ...process.env,
      PORT: new URL(url).port,
      SIGNING_SECRET,
      SKILL_PATH,
      CALLBACK_SECONDS: String(callbackSeconds),
    },
    WEBHOOK_URL: service.baseUrl + webhookPath('custom', channel.id),
  };
  bridge = {
    process: spawn(process.execPath, ['examples/kakaotalk/bridge.mjs'], { env, stdio: 'inherit' }),
    url,
    channel,
  };
  await eventually(() => fetch(url, { method: 'POST' }).then(Boolean, () => false));
}

/** A skill's payload, as Kakao posts it; it waits five seconds. */
async function skill(userRequest: object, path = SKILL_PATH) {
  const user = { id: '3a1f', type: 'botUserKey', properties: { plusfriendUserKey: 'p1', isFriend: true } };
  const payload = {
    intent: { id: 'i', name: '폴백 블록' },
    bot: { id: 'b', name: '봇' },
    action: { id: 'a', name: '스킬', params: {}, detailParams: {}, clientExtra: null },
    userRequest: {
      timezone: 'Asia/Seoul',
      lang: 'ko',
      params: { surface: 'Kakaotalk.plusfriend' },
      user,
      ...userRequest,
    },
  };
  const headers = { 'content-type': 'application/json;charset=UTF-8' };
  const body = JSON.stringify(payload);
  return fetch(bridge.url + path, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
}

it('answers by the callback: all parts at once, without marks of Markdown', async () => {
  await startBridge();
  provider.plays(says(`**타이레놀정**은 ${'가'.repeat(900)}\n\n- ${'나'.repeat(900)}`));
  const first = await skill({ utterance: '언제 먹나요?', callbackUrl: callbackUrl() });
  expect(await first.json()).toEqual({
    version: '2.0',
    useCallback: true,
    data: { text: '답변을 준비하고 있습니다.' },
  });
  await eventually(() => callbacks.length > 0);
  expect(callbacks).toEqual([
    { texts: [`타이레놀정은 ${'가'.repeat(900)}`, expect.stringContaining('나'.repeat(900))], status: 'SUCCESS' },
  ]);
  expect(questions(provider)).toEqual(['언제 먹나요?']);
});

it('keeps one conversation of a person, and passes pictures on', async () => {
  await startBridge();
  provider.plays(echoes);
  await skill({ utterance: '하나', callbackUrl: callbackUrl() });
  await eventually(() => callbacks.length === 1);
  const url = `${service.baseUrl}/picture.jpg`;
  await skill({ utterance: url, callbackUrl: callbackUrl(), params: { media: { type: 'image', url } } });
  await eventually(() => callbacks.length === 2);
  expect(callbacks.map(({ texts }) => texts)).toEqual([['re: 하나'], ['re: [image: it could not be read]']]);
  expect(provider.requests.at(-1)!.body.messages).toHaveLength(3);
});

it('uses the callback of a slow answer for a notice, and the answer becomes a dead letter', async () => {
  await startBridge(1);
  const slow = Promise.withResolvers<void>();
  provider.plays(async (response, request) => {
    await slow.promise;
    return says('늦은 답')(response, request);
  });
  await skill({ utterance: '느린 질문', callbackUrl: callbackUrl() });
  await eventually(() => callbacks.length === 1);
  slow.resolve();
  const [letter] = await eventually(async () => {
    const letters = await deadLetters(service, `?channel_id=${bridge.channel.id}`);
    return letters.length > 0 && letters;
  });
  expect(callbacks).toEqual([{ texts: ['답변이 늦어지고 있습니다. 잠시 후 다시 물어봐 주세요.'], status: 'SUCCESS' }]);
  expect(letter).toMatchObject({ text: '늦은 답', detail: 'Kakao takes an answer once, within a minute.' });
});

it('reports an answer whose callback has expired as undelivered', async () => {
  await startBridge();
  isExpired = true;
  provider.plays(says('답'));
  await skill({ utterance: '질문', callbackUrl: callbackUrl() });
  await eventually(async () => (await deadLetters(service, `?channel_id=${bridge.channel.id}`)).length === 1);
  expect(callbacks).toEqual([{ texts: ['답'], status: 'FAIL' }]);
});

it('refuses other paths and unsigned replies, and asks for the callback where a block has none', async () => {
  await startBridge();
  expect((await skill({ utterance: 'x', callbackUrl: callbackUrl() }, '/skill')).status).toBe(401);
  expect((await skill({ utterance: 'x' }, '/replies')).status).toBe(401);
  const direct = await skill({ utterance: 'x' });
  expect(await direct.json()).toMatchObject({
    template: { outputs: [{ simpleText: { text: '이 블록의 Callback 설정을 켜 주세요.' } }] },
  });
  expect(questions(provider)).not.toContain('x');
});

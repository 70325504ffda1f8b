import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
/** A skill server of Kakao on one side, a custom channel of Tripod on the other. */
const { PORT = '8080', WEBHOOK_URL, SIGNING_SECRET = '', SKILL_PATH = '', CALLBACK_SECONDS = '55' } = process.env;
const key = Buffer.from(SIGNING_SECRET.replace('whsec_', ''), 'base64');
if (key.length < 16 || !URL.canParse(WEBHOOK_URL) || !/^\/[\w-]{16,}$/.test(SKILL_PATH))
  throw new Error('Set WEBHOOK_URL, SIGNING_SECRET (whsec_…) and SKILL_PATH (a slash and 16 letters or digits or more).');
const LATE = '답변이 늦어지고 있습니다. 잠시 후 다시 물어봐 주세요.';
/** Questions of the last minute, by the id that Tripod knows them by. */
const questions = new Map();
const sign = (id, at, body) => `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
const isSame = (a, b) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (url, body, headers = {}) =>
  fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body, signal: AbortSignal.timeout(4000) });
/** Kakao shows three bubbles of 1,000 characters at most. */
const bubble = (words) => ({ simpleText: { text: words.slice(0, 1000) } });
const bubbles = (texts) => ({ version: '2.0', template: { outputs: texts.slice(0, 3).map(bubble) } });

async function ask({ utterance = '', user, callbackUrl, params }) {
  if (!callbackUrl) return bubbles(['이 블록의 Callback 설정을 켜 주세요.']);
  const [id, at, url] = [randomUUID(), String(Math.floor(Date.now() / 1000)), params?.media?.url];
  const message = { conversation_id: user.id, language: 'ko', text: utterance === url ? '' : utterance };
  questions.set(id, { callbackUrl, parts: [], isAnswered: false });
  const end = () => answer(id, [LATE]).catch(console.error).finally(() => questions.delete(id));
  setTimeout(end, CALLBACK_SECONDS * 1000).unref();
  const body = JSON.stringify({ ...message, attachments: url ? [{ url, content_type: 'image/jpeg' }] : [] });
  const signed = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': sign(id, at, body) };
  const taken = await post(WEBHOOK_URL, body, signed).catch(() => null);
  if (taken?.ok) return { version: '2.0', useCallback: true, data: { text: '답변을 준비하고 있습니다.' } };
  questions.delete(id);
  return bubbles(['지금은 답변을 드릴 수 없습니다. 잠시 후 다시 물어봐 주세요.']);
}

/** A callback works once, within a minute. */
async function answer(id, texts) {
  const question = questions.get(id);
  if (!question || question.isAnswered) return question !== undefined;
  const response = await post(question.callbackUrl, JSON.stringify(bubbles(texts)));
  question.isAnswered = response.ok && (await response.json()).status === 'SUCCESS';
  return question.isAnswered;
}

async function handle({ url, headers }, body) {
  if (url === SKILL_PATH) return [200, await ask(JSON.parse(body).userRequest)];
  const [id, at, sent] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  const isSigned = sent.split(' ').some((each) => isSame(each, sign(id, at, body)));
  if (!isSigned || Math.abs(Date.now() / 1000 - at) > 300) return [401, { message: 'The signature is wrong.' }];
  const { in_reply_to: about, text: words, part, parts } = JSON.parse(body).data;
  const texts = questions.get(about)?.parts ?? [];
  texts[part - 1] = words;
  if (part < parts ? questions.has(about) : await answer(about, texts)) return [200, {}];
  return [409, { message: 'Kakao takes an answer once, within a minute.' }];
}

createServer(async (request, response) => {
  const [status, content] = await handle(request, await text(request)).catch(({ message }) => [503, { message }]);
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(content));
}).listen(PORT);

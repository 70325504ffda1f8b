/**
 * Search in knowledge bases, through the whole local service: how often the passage that answers a question is among the
 * first five, compared with BM25 over words between blanks in the same run, and how long a search in 10,000 passages takes.
 *
 *     npm run bench knowledge -- [--passages 10000] [--searches 300]
 *
 * bench/knowledge/korean.json: 64 passages such as customers, patients, employees and tenants ask about, written for this
 * benchmark, each with two questions as people ask them who have not read it: other endings, compounds written apart or
 * together, other words where people use them. The first question of each may serve for tuning; the second never does.
 * An answer of the embedded model is right when it has the words of the passage that answer the question. Of the questions about other
 * things, bench/knowledge/off-topic.json, it must refuse every one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from './arguments.ts';
import { fillerParagraphs } from './knowledge/filler.ts';
import korean from './knowledge/korean.json' with { type: 'json' };
import offTopic from './knowledge/off-topic.json' with { type: 'json' };
import { WordBm25 } from './knowledge/word-bm25.ts';
import { type LocalService, startLocalService } from './local-service.ts';

const FIRST = 5;
/** Passages that go into one document. */
const PASSAGES_PER_DOCUMENT = 1_000;
const BARS = { recall: 0.9, wordRecall: 0.75, answers: 0.8, p50Ms: 25 };
const LIMITS = { CHAT_LIMIT_PER_MINUTE: '60000', CHAT_LIMIT_BURST: '60000' };

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '10000' },
    searches: { type: 'string', default: '300' },
  },
});
const passageCount = wholeNumber(values.passages, '--passages');
const searchCount = wholeNumber(values.searches, '--searches');

const BASES = '/knowledge-bases';

type Client = <Data>(method: string, path: string, body?: object) => Promise<Data>;

function clientOf({ url, apiKey }: LocalService): Client {
  return async <Data>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Data; message: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer.data;
  };
}

interface Results {
  readonly results: readonly { readonly title: string; readonly score: number }[];
}

async function newBase(client: Client, name: string): Promise<string> {
  return (await client<{ id: string }>('POST', BASES, { name })).id;
}

/** Adds documents one after another, as fast as the limit of the route lets, and waits until all are ready. */
async function addAll(client: Client, base: string, documents: readonly { title: string; text: string }[]) {
  const ids: string[] = [];
  for (const document of documents) {
    const { id } = await client<{ id: string }>('POST', `${BASES}/${base}/documents`, document);
    ids.push(id);
  }
  for (const id of ids)
    for (;;) {
      const { status, failure } = await client<{ status: string; failure: unknown }>(
        'GET',
        `${BASES}/${base}/documents/${id}`,
      );
      if (status === 'failed') throw new Error(`A document failed: ${JSON.stringify(failure)}`);
      if (status === 'ready') break;
      await sleep(100);
    }
}

async function recall(client: Client, base: string): Promise<boolean> {
  await addAll(
    client,
    base,
    korean.map(({ title, text }) => ({ title, text })),
  );
  const words = new WordBm25(korean.map(({ title, text }) => `${title}\n${text}`));
  let isMet = true;
  console.log(`${korean.length} passages, recall@${FIRST}:`);
  for (const [half, name] of ['for tuning', 'never tuned on'].entries()) {
    const found = { ours: 0, words: 0, first: 0 };
    for (const [index, { title, questions }] of korean.entries()) {
      const query = questions[half]!;
      const { results } = await client<Results>('POST', `${BASES}/${base}/search`, { query, limit: FIRST });
      const place = results.findIndex((result) => result.title === title);
      if (place >= 0) found.ours += 1;
      if (place === 0) found.first += 1;
      if (words.search(query, FIRST).includes(index)) found.words += 1;
    }
    const share = (count: number) => (count / korean.length).toFixed(3);
    console.log(
      `  ${name.padEnd(15)} ${korean.length} questions: ${share(found.ours)} (first place ${share(found.first)}), words alone ` +
        `${share(found.words)}, ${(found.ours / found.words).toFixed(2)} ×`,
    );
    isMet &&= found.ours / korean.length >= BARS.recall && found.words / korean.length <= BARS.wordRecall;
  }
  return isMet;
}

/** Answers of the embedded model, which refuses questions that no passage answers. */
async function answers({ url, apiKey }: LocalService, client: Client, base: string): Promise<boolean> {
  const config = { knowledge_bases: [base] };
  const { id } = await client<{ id: string }>('POST', '/applications', { name: 'Questions', type: 'chat', config });
  const answer = async (content: string): Promise<string> => {
    const response = await fetch(`${url}/api/v1/chat/${id}/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
    });
    if (!response.ok) throw new Error(`A chat: ${response.status} ${await response.text()}`);
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    return choices[0]!.message.content;
  };
  const isRefusal = (text: string) => text.includes('찾지 못했습니다');
  console.log('answers of the embedded model:');
  let isMet = true;
  for (const [half, name] of ['for tuning', 'never tuned on'].entries()) {
    let right = 0;
    let refused = 0;
    for (const { questions, answers } of korean) {
      const said = await answer(questions[half]!);
      if (said.includes(answers[half]!)) right += 1;
      else if (isRefusal(said)) refused += 1;
    }
    console.log(`  ${name.padEnd(15)} ${right} of ${korean.length} right, ${refused} refused`);
    isMet &&= right / korean.length >= BARS.answers;
  }
  let refused = 0;
  for (const question of offTopic) if (isRefusal(await answer(question))) refused += 1;
  console.log(`  other topics    ${refused} of ${offTopic.length} refused`);
  return isMet && refused === offTopic.length;
}

async function speed(client: Client): Promise<boolean> {
  const base = await newBase(client, 'Many passages');
  const paragraphs = fillerParagraphs(passageCount);
  const documents = Array.from({ length: Math.ceil(passageCount / PASSAGES_PER_DOCUMENT) }, (_, i) => ({
    title: `Document ${i + 1}`,
    text: paragraphs.slice(i * PASSAGES_PER_DOCUMENT, (i + 1) * PASSAGES_PER_DOCUMENT).join('\n\n'),
  }));
  const startedMs = performance.now();
  await addAll(client, base, documents);
  const { passage_count } = await client<{ passage_count: number }>('GET', `${BASES}/${base}`);
  console.log(`${passage_count} passages indexed in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  const questions = korean.flatMap((each) => each.questions);
  const times: number[] = [];
  for (let i = 0; i < searchCount + 1; i++) {
    const query = questions[i % questions.length]!;
    const beforeMs = performance.now();
    await client<Results>('POST', `${BASES}/${base}/search`, { query, limit: FIRST });
    times.push(performance.now() - beforeMs);
  }
  const [cold = 0, ...warm] = times;
  warm.sort((a, b) => a - b);
  const at = (share: number) => warm[Math.floor(warm.length * share)]!;
  console.log(
    `search through HTTP: first ${cold.toFixed(0)} ms, warm p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`,
  );
  return at(0.5) <= BARS.p50Ms;
}

const service = await startLocalService([], LIMITS);
try {
  const client = clientOf(service);
  const base = await newBase(client, 'Questions');
  const met = [await recall(client, base), await answers(service, client, base), await speed(client)];
  if (met.includes(false)) {
    console.log(
      `Below its bars: recall ≥ ${BARS.recall}, of words alone ≤ ${BARS.wordRecall}, right answers ≥ ${BARS.answers} and all of other topics ` +
        `refused, p50 ≤ ${BARS.p50Ms} ms.`,
    );
    process.exitCode = 1;
  }
} finally {
  await service.end();
}

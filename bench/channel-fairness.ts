/**
 * `npm run bench channel-fairness [-- --messages 60]`: from a webhook of one workspace's channel to the reply at its platform, quiet and
 * while another workspace has a slow model, receivers that hang, messages that its platform refuses again and again, or all of its
 * circuit open. Exits with 1 if the p95 of one is more than three times the quiet one, or a message is lost.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPlatformServer } from '../local/played-platforms/server.ts';
import { wholeNumber } from './arguments.ts';
import { startLocalService } from './local-service.ts';
import { api, newChannel, type PlayedChannel, postWebhook, type Target } from './played-channel.ts';

const MAX_RATIO = 3;
const EVERY_MS = 250;
/** Of the greedy workspace, at once, each in a separate conversation, so that none waits for another. */
const FLOOD = 200;
const FLOOD_AHEAD_MS = 3_000;
const MAX_WAIT_MS = 60_000;
const SLOW_MODEL_MS = 20_000;

const { values } = parseArgs({ options: { messages: { type: 'string', default: '60' } } });
const messages = wholeNumber(values.messages, '--messages');

const service = await startLocalService();
const [own, foreign] = [await startPlatformServer(), await startPlatformServer()];
const upstream = fork(fileURLToPath(new URL('chat/upstream.ts', import.meta.url)), { silent: true });
try {
  const [line] = (await once(upstream.stdout!, 'data')) as [Buffer];
  const model = {
    provider: 'openai-compatible',
    base_url: `${/http:\S+/.exec(line.toString())![0]}/v1`,
    name: 'slow',
    api_key: 'bench',
  };
  const [greedy, other] = [await newTenant('greedy'), await newTenant('other')];
  const channel = await newChannel(other, 'custom', own.baseUrl);
  console.log(`${messages} messages each; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  await measured(other, channel);
  const quiet = await measured(other, channel);
  console.log(`quiet               p50 ${inMs(quiet.p50Ms)}, p95 ${inMs(quiet.p95Ms)}`);

  const floods: Readonly<Record<string, () => Promise<void>>> = {
    'a slow model': async () => {
      const slow = await newChannel(greedy, 'custom', foreign.baseUrl, { model });
      await flood(slow, JSON.stringify({ firstMs: SLOW_MODEL_MS, tokens: 1, restMs: 0 }));
    },
    'hanging receivers': async () => {
      foreign.plays('hang');
      await flood(await newChannel(greedy, 'custom', foreign.baseUrl));
    },
    'refused messages': async () => {
      foreign.plays({ status: 503 });
      await flood(await newChannel(greedy, 'custom', foreign.baseUrl));
    },
    'hanging receivers of its Slack': async () => {
      foreign.plays('hang');
      await flood(await newChannel(greedy, 'slack', foreign.baseUrl));
    },
  };
  for (const [name, begin] of Object.entries(floods)) {
    await begin();
    await sleep(FLOOD_AHEAD_MS);
    const { p50Ms, p95Ms, lost } = await measured(other, channel);
    const ratio = p95Ms / quiet.p95Ms;
    const isMet = ratio <= MAX_RATIO && lost === 0;
    if (!isMet) process.exitCode = 1;
    console.log(
      `${name.padEnd(32)} p50 ${inMs(p50Ms)}, p95 ${inMs(p95Ms)}: ${ratio.toFixed(2)} × (bar ${MAX_RATIO}), ${lost} lost: ${isMet ? 'ok' : 'MISSED'}`,
    );
    foreign.plays('ok');
  }
} finally {
  upstream.kill();
  await Promise.all([own.stop(), foreign.stop()]);
  await service.end();
}

async function newTenant(name: string): Promise<Target> {
  const response = await fetch(`${service.url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: 'correct horse battery', workspace_name: name }),
  });
  const { data } = (await response.json()) as { data: { api_key: { key: string } } };
  const target = { url: service.url, apiKey: data.api_key.key };
  await api(target, 'POST', '/api/v1/balance/top-ups', { amountKrw: 1_000_000, reference: name });
  return target;
}

/** Fills what the workspace can of the queues. */
async function flood(channel: PlayedChannel, text = 'hello'): Promise<void> {
  for (let n = 0; n < FLOOD; n++)
    await postWebhook(service, channel, { text, conversation: `flood ${randomUUID()}`, eventId: randomUUID() });
}

async function measured(target: Target, channel: PlayedChannel) {
  const sentAtMs = new Map<string, number>();
  for (let n = 0; n < messages; n++) {
    const conversation = randomUUID();
    sentAtMs.set(conversation, Date.now());
    await postWebhook(target, channel, { text: 'hello', conversation, eventId: randomUUID() });
    await sleep(EVERY_MS);
  }
  const arrivals = () => own.delivered.filter(({ conversation }) => sentAtMs.has(conversation));
  for (let waitedMs = 0; arrivals().length < messages && waitedMs < MAX_WAIT_MS; waitedMs += EVERY_MS)
    await sleep(EVERY_MS);
  const tookMs = arrivals()
    .map(({ conversation, atMs }) => atMs - sentAtMs.get(conversation)!)
    .sort((a, b) => a - b);
  const percentile = (p: number) => tookMs[Math.ceil((p / 100) * tookMs.length) - 1] ?? Number.POSITIVE_INFINITY;
  return { p50Ms: percentile(50), p95Ms: percentile(95), lost: messages - tookMs.length };
}

function inMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

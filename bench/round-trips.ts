/**
 * `npm run bench round-trips`: the calls to DynamoDB that each endpoint makes on its hot path, and how many of them come one
 * after another: what runs side by side counts once. The polls are of a finished job of a hundred images. Ends with 1 where
 * an endpoint makes more than it may.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoAccounts } from '../functions/adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { DynamoSettlementLine } from '../functions/adapters/extraction/dynamo-settlement-line.ts';
import { DynamoSettlements } from '../functions/adapters/extraction/dynamo-settlements.ts';
import { DynamoIdempotency } from '../functions/adapters/shared/dynamo-idempotency.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import type { ExtractionResult } from '../functions/extraction/domain/extraction.ts';
import { settle } from '../functions/extraction/domain/settle.ts';
import { environment } from '../functions/shared/environment.ts';
import { limitsClient } from '../functions/wiring/shared/http.ts';
import { startLocalService } from '../local/service.ts';

const IMAGES = 100;
/** Headers of a request without an Idempotency-Key. */
const NO_KEY = { 'idempotency-key': undefined };

interface Call {
  readonly name: string;
  readonly from: number;
  to: number;
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
const service = await startLocalService({ dataDirectory, host: '127.0.0.1', port: 0, debug: false });
const { apiKey, workspaceId } = service.credentials;
let calls: Call[] = [];
/** Distinguishes the calls of a request from those of workers, which may run before or after its response. */
const ofRequest = new AsyncLocalStorage<true>();
const emit = Server.prototype.emit;
Server.prototype.emit = function (this: Server, ...event: Parameters<Server['emit']>) {
  return (event[0] as string) === 'request'
    ? ofRequest.run(true, () => emit.apply(this, event))
    : emit.apply(this, event);
} as Server['emit'];
for (const [client, part] of [
  [dynamoClient(), ''],
  [limitsClient(), ' (limit)'],
] as const)
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const name = `${String(commandName).replace(/Command$/, '')}${part}`;
        const call: Call = { name, from: performance.now(), to: 0 };
        if (ofRequest.getStore()) calls.push(call);
        return next(args).finally(() => {
          call.to = performance.now();
        });
      },
    { step: 'initialize' },
  );
try {
  const image = (await readFile(new URL('../docs/sample-page.png', import.meta.url))).toString('base64');
  const extractPath = '/api/v1/edi-extract-lite/extract';
  const page = (await request('POST', extractPath, { image })) as ExtractionResult;
  const jobId = await finishedJob(page);
  await measure('balance', 2, 'GET', '/api/v1/balance');
  await measure('extract, with a key', 4, 'POST', extractPath, { image });
  await measure('extraction', 2, 'GET', `/api/v1/extractions/${page.requestId}`);
  await measure(`poll, ${IMAGES} images`, 3, 'GET', `/api/v1/jobs/${jobId}`);
  await measure(`poll, ${IMAGES} images, items=1`, 6, 'GET', `/api/v1/jobs/${jobId}?items=1`);
  await measure('uploads', 2, 'POST', '/api/v1/uploads', { contentType: 'image/png' });
  const application = { name: 'Bench', type: 'chat' };
  const { data } = (await request('POST', '/api/v1/applications', application)) as { data: { id: string } };
  // Calls before the model is asked, and after its answer: storing the turn, and counting its tokens. An Idempotency-Key of a session is
  // taken once the caller's key has been checked.
  const chatPath = `/api/v1/chat/${data.id}/chat/completions`;
  const hello = { messages: [{ role: 'user', content: 'Hello' }] };
  await measure('chat, with a session', 1 + 1, 'POST', chatPath, hello, { 'x-session-id': 's', ...NO_KEY });
  await measure('chat, with a session’s key', 2 + 1, 'POST', chatPath, hello, { 'x-session-id': 's' });
  await measure('response', 1 + 1, 'POST', `/api/v1/chat/${data.id}/responses`, { input: 'Hello' });
  await measure('chat, without one', 2, 'POST', chatPath, hello);
  await measure('batch of 1', 5, 'POST', '/api/v1/edi-extract-lite/extract-batch-async', { images: ['AAAA'] });
} finally {
  await service.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
process.exit();

async function measure(
  name: string,
  most: number,
  method: string,
  path: string,
  body?: object,
  headers = {},
): Promise<void> {
  calls = [];
  await request(method, path, body, { ...(body && { 'idempotency-key': ulidIds.next('key') }), ...headers });
  const inTurn = longestChain(calls);
  const names = calls.map((call) => call.name).join(' ');
  console.log(`${name.padEnd(28)} ${inTurn} in turn (at most ${most}), ${calls.length} in all: ${names}`);
  if (inTurn > most) process.exitCode = 1;
}

async function request(method: string, path: string, body?: object, headers = {}): Promise<unknown> {
  const response = await fetch(service.url + path, {
    method,
    headers: withoutAbsent({ 'x-api-key': apiKey, 'content-type': 'application/json', ...headers }),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function withoutAbsent(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** The longest sequence of calls, each of which started after the one before had ended. */
function longestChain(all: readonly Call[]): number {
  let chain = 0;
  let endedAt = 0;
  for (const { from, to } of all.toSorted((a, b) => a.to - b.to))
    if (from >= endedAt) {
      chain += 1;
      endedAt = to;
    }
  return chain;
}

/** A job as a hundred workers leave it, each having read this page: reading is not measured. */
async function finishedJob(page: ExtractionResult): Promise<string> {
  const tables = environment('ACCOUNTS_TABLE', 'EXTRACTIONS_TABLE', 'IDEMPOTENCY_TABLE', 'USAGE_TABLE');
  const client = dynamoClient();
  const { jobs: jobsOf, imageLeases } = await import('../functions/wiring/extraction/extraction.ts');
  const [jobs, leases] = [jobsOf(), imageLeases()];
  const accounts = new DynamoAccounts(client, tables.ACCOUNTS_TABLE);
  const idempotency = new DynamoIdempotency(client, tables.IDEMPOTENCY_TABLE);
  const names = { accounts: tables.ACCOUNTS_TABLE, extractions: tables.EXTRACTIONS_TABLE, usage: tables.USAGE_TABLE };
  const settlements = new DynamoSettlements(client, names, idempotency);
  const line = new DynamoSettlementLine(client, names, idempotency, jitteredBackoff);
  const ports = { accounts, settlements, line, clock: systemClock, ids: ulidIds, backoff: jitteredBackoff };
  const jobId = ulidIds.next('job');
  const nowMs = Date.now();
  const untilMs = nowMs + 600_000;
  const [createdAt, expiresAt] = [new Date(nowMs).toISOString(), new Date(untilMs).toISOString()];
  const head = { jobId, workspaceId, templateId: 'default', serviceDate: null, total: IMAGES, createdAt, expiresAt };
  const place = { kind: 'url', url: `https://example.com/${'a'.repeat(1000)}.png` } as const;
  await jobs.create({ head, places: Array(IMAGES).fill(place), queuedAtMs: nowMs }, null);
  for (let index = 0; index < IMAGES; index++) {
    const lease = { workspaceId, jobId, index, fence: ulidIds.next('run') };
    await leases.acquire(lease, Date.now(), untilMs);
    const account = await accounts.find(workspaceId);
    // Not more than the demo workspace has money for; the others are pages without a table, stored all the same.
    const read = {
      lease,
      deadlineMs: untilMs,
      keyId: null,
      uploadKey: null,
      page: { ...page, foundTable: index < 40 },
    };
    await settle({ extractionId: ulidIds.next('ext'), seen: account!, ...read }, ports);
  }
  return jobId;
}

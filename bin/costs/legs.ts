import type { Route } from '../../functions/shared/http/route.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { type MeasuredFunction, measuredFunctions } from './measured.ts';
import { type PriceName, priceIn, type Region } from './prices.ts';

/** A consistent read or a small transaction within a region, as a function sees it. */
const ROUND_TRIP_MS = 5;
/** At so much memory a function has one processor, and its share of one below. */
const MB_A_PROCESSOR = 1769;
/** The lines of the access log, and Lambda's own of an invocation. */
const LOG_BYTES = 1500;
/** The caller's limit, which the measured tests switch off; it is asked while the key is looked up. */
const LIMIT_WRITES = 1;
/** In addition to the body. */
const HEADER_BYTES = 500;
/** A send, and the receipt and the deletion that follow it; messages are far below the 64 KB that count as one request. */
const REQUESTS_A_MESSAGE = 3;

/** `npm run bench login`, on one processor; it is done in another thread than the one that was measured. */
const HASH = { ms: 450, what: 'the hash of the password' } as const;

/** Billed waiting time of a function that was not measured. */
const waits: Readonly<Record<string, { readonly ms: number; readonly what: string } | undefined>> = {
  'accounts.register': HASH,
  'accounts.login': HASH,
  'accounts.change-password': { ...HASH, ms: 2 * HASH.ms },
  'accounts.reset-password': HASH,
  'accounts.enrol-second-factor': HASH,
  'accounts.disable-second-factor': HASH,
  'accounts.accept-invitation': HASH,
  'extraction.extract': { ms: 3_000, what: 'Textract, and the page’s preparation' },
  'extraction.process-image': { ms: 3_000, what: 'Textract, and the page’s preparation' },
  'extraction.read-table': { ms: 3_000, what: 'Textract, and the page’s preparation' },
  'sandbox.execute': { ms: 1_000, what: 'the program' },
  'sandbox.execute-batch': { ms: 3_000, what: 'three programs' },
  'sandbox.process-execution': { ms: 1_000, what: 'the program' },
  'sandbox.run-program': { ms: 1_000, what: 'the program' },
  'sandbox.make-file': { ms: 300, what: 'the thread that makes the file' },
  'chat.complete-chat': { ms: 5_000, what: 'the model' },
  'chat.complete-preview': { ms: 5_000, what: 'the model' },
  'chat.create-response': { ms: 5_000, what: 'the model' },
  'chat.create-embeddings': { ms: 300, what: 'the embedding model' },
  'chat.answer-message': { ms: 5_000, what: 'the model' },
  'knowledge.search-knowledge': { ms: 200, what: 'the embedding model' },
  'knowledge.index-document': { ms: 5_000, what: 'the embedding model' },
  'channels.answer-messages': { ms: 5_000, what: 'the model' },
  'channels.deliver-messages': { ms: 300, what: 'the platform' },
  'workflows.run-workflow': { ms: 5_000, what: 'a model' },
  'workflows.process-run': { ms: 5_000, what: 'a model' },
};
const PAGES: Readonly<Record<string, number | undefined>> = {
  'extraction.extract': 1,
  'extraction.process-image': 1,
  'extraction.read-table': 1,
};

/** Parts of the price of one invocation, USD. */
export const LEGS = ['gateway', 'lambda', 'dynamodb', 's3', 'queues', 'textract', 'keys', 'logs', 'out'] as const;
export type Leg = (typeof LEGS)[number];

export interface Cost {
  readonly ms: number;
  readonly waitsFor: string | null;
  readonly legs: Readonly<Record<Leg, number>>;
  readonly usd: number;
}

/** @returns null for a function that was not measured */
export function costOf(entry: Route | Worker, region: Region = 'us-east-1'): Cost | null {
  const price = (name: PriceName) => priceIn(region, name);
  const measured = measuredFunctions[entry.id];
  if (measured === undefined) return null;
  const { id, limits, access } = entry;
  const wait = waits[id];
  const ms = Math.ceil(
    measured.cpuMs * Math.max(1, MB_A_PROCESSOR / limits.memoryMb) + measured.inTurn * ROUND_TRIP_MS + (wait?.ms ?? 0),
  );
  const calls = (service: string) => measured.calls[service] ?? 0;
  // Locally the keys are in files: on AWS a sealed secret is opened by KMS, and a signing key is read once an instance.
  const sealed = access.includes('secrets:open') || access.includes('secrets:seal') ? 1 : 0;
  const limitWrites = 'path' in entry && entry.isUnlimited !== true ? LIMIT_WRITES : 0;
  const legs: Record<Leg, number> = {
    gateway: ('path' in entry ? price('apiRequest') : 0) + calls('sockets') * price('socketMessage'),
    lambda: lambdaUsd(limits.memoryMb, ms, region),
    dynamodb: measured.reads * price('dynamoRead') + (measured.writes + limitWrites) * price('dynamoWrite'),
    s3: calls('s3-put') * price('s3Put') + calls('s3-get') * price('s3Get'),
    queues: REQUESTS_A_MESSAGE * (calls('sqs') * price('sqs') + calls('sqs-grouped') * price('sqsGrouped')),
    textract: (PAGES[id] ?? 0) * price('textractTables'),
    keys: sealed * price('kms') + calls('secrets') * price('secret'),
    logs: LOG_BYTES * price('logByte'),
    out: 'path' in entry ? (measured.responseBytes + HEADER_BYTES) * price('outByte') : 0,
  };
  return { ms, waitsFor: wait?.what ?? null, legs, usd: LEGS.reduce((sum, leg) => sum + legs[leg], 0) };
}

/** @param memoryMb as the function has it */
export function lambdaUsd(memoryMb: number, ms: number, region: Region = 'us-east-1'): number {
  return priceIn(region, 'lambdaRequest') + (memoryMb / 1024) * (ms / 1000) * priceIn(region, 'lambdaGbSecond');
}

/** Cost of one invocation without work. */
export function idleUsd(
  entry: Worker,
  region: Region = 'us-east-1',
  measured: MeasuredFunction | undefined = measuredFunctions[entry.id],
): number {
  const { cpuMs = 5, inTurn = 1, reads = 1, writes = 0 } = measured ?? {};
  const ms = cpuMs * Math.max(1, MB_A_PROCESSOR / entry.limits.memoryMb) + inTurn * ROUND_TRIP_MS;
  return (
    lambdaUsd(entry.limits.memoryMb, ms, region) +
    reads * priceIn(region, 'dynamoRead') +
    writes * priceIn(region, 'dynamoWrite')
  );
}

export const assumptions = { ROUND_TRIP_MS, MB_A_PROCESSOR, LOG_BYTES, HEADER_BYTES, waits };

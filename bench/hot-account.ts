/**
 * `npm run bench hot-account`: one workspace whose calls end at a steady rate, charged by the service's own settlement over a
 * simulated DynamoDB: how many are settled, how long that takes, and how many get 503. A payment a second is posted concurrently. Time is virtual and chance seeded: the figures are the same on every machine. Starts with 200 charges at once, which
 * `npm run bench charges` measures on the embedded store, so that the two can be compared.
 *
 *     npm run bench hot-account -- --rates 10,50,100,300,1000 --seconds 30
 */
import { parseArgs } from 'node:util';
import { type Account, FREE_CALLS } from '../functions/accounts/domain/account.ts';
import { SYSTEM_ORIGIN } from '../functions/accounts/domain/audit.ts';
import { AccountBusy } from '../functions/accounts/domain/change-account.ts';
import { topUp } from '../functions/accounts/domain/top-up.ts';
import { UNLIMITED_FREE_PAGES } from '../functions/adapters/extraction/limited-free-pages.ts';
import { COLLISIONS } from '../functions/adapters/shared/system-ports.ts';
import { fundsOf } from '../functions/extraction/domain/extract.ts';
import { CALL_PRICE_KRW } from '../functions/extraction/domain/pricing/price-call.ts';
import { settle } from '../functions/extraction/domain/settle.ts';
import { Contention } from '../functions/shared/contention.ts';
import { retryDelayMs } from '../functions/shared/leases/retry-schedule.ts';
import { chargedPage } from './charged-page.ts';
import { Random } from './corpus/random.ts';
import { SimulatedStore, type StoreModel } from './simulated-store.ts';
import { VirtualTime } from './virtual-time.ts';

/** Time left for a call's settlement after its page is read: of 29 seconds. */
const DEADLINE_MS = 25_000;
/** Time from a call's first look at its account to its settlement, in which its page is read. */
const READING_MS = 3_000;
const TOP_UP_KRW = 1;

const ON_AWS: StoreModel = {
  singleMs: 4,
  transactionMs: 15,
  furtherWriteMs: 0.6,
  holdMs: 8,
  writesPerSecond: 1000,
  readsPerSecond: 3000,
};
/** As `bench charges` has it with 20 ms a round trip: transactions one after another, and no limit. */
const EMBEDDED: StoreModel = {
  ...ON_AWS,
  singleMs: 21,
  transactionMs: 22,
  holdMs: 0,
  writesPerSecond: Number.POSITIVE_INFINITY,
  readsPerSecond: Number.POSITIVE_INFINITY,
};

interface Outcome {
  readonly kind: 'settled' | 'busy' | 'failed';
  readonly ms: number;
  readonly attempts: number;
}

interface Simulated {
  readonly outcomes: readonly Outcome[];
  readonly topUps: readonly Outcome[];
  readonly store: SimulatedStore;
}

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '10,50,100,300,1000' },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '20261122' },
  },
});
const seconds = Number(values.seconds);

console.log('200 charges at once, 20 ms a round trip, to compare with bench charges');
print('', await simulate(EMBEDDED, Array(200).fill(0), 0));

console.log(
  `\nOne account, ${seconds} s; an item ${ON_AWS.singleMs} ms, a transaction ${ON_AWS.transactionMs} ms and ${ON_AWS.furtherWriteMs} for each write beyond five; a partition ${ON_AWS.writesPerSecond} write and ${ON_AWS.readsPerSecond} read units a second`,
);
for (const rate of values.rates.split(',').map(Number)) {
  const random = new Random(`${values.seed} ${rate}`);
  const arrivals: number[] = [];
  for (let ms = 0; ms < seconds * 1000; ms += (-Math.log(1 - random.next()) * 1000) / rate) arrivals.push(ms);
  print(`${String(rate).padStart(5)}/s  `, await simulate(ON_AWS, arrivals, seconds));
}

/**
 * @param arrivals times at which calls reach their settlement, ms
 * @param payments posted concurrently, one a second
 */
async function simulate(model: StoreModel, arrivals: readonly number[], payments: number): Promise<Simulated> {
  const time = new VirtualTime();
  const random = new Random(values.seed);
  const opened: Account = {
    workspaceId: 'ws_hot',
    balanceKrw: arrivals.length * CALL_PRICE_KRW,
    freeCallsUsed: FREE_CALLS,
    lowBalanceThresholdKrw: null,
    lowBalanceNotified: false,
    updatedAt: null,
    version: 1,
  };
  const store = new SimulatedStore(opened, model, time, random);
  let ids = 0;
  const ports = {
    clock: { now: () => time.nowMs },
    ids: { next: (prefix: string) => `${prefix}_${++ids}` },
    backoff: { wait: (attempt: number) => time.sleep(retryDelayMs(COLLISIONS, attempt, () => random.next())) },
    accounts: store.accounts,
    ledger: store.ledger,
    line: store.line,
  };
  const outcomeOf = async (work: Promise<unknown>, begunMs: () => number, attempts: () => number): Promise<Outcome> => {
    const kind = await work.then(
      () => 'settled' as const,
      (error: Error) => (error instanceof AccountBusy || error instanceof Contention ? 'busy' : 'failed'),
    );
    return { kind, ms: time.nowMs - begunMs(), attempts: attempts() };
  };

  const calls = arrivals.map(async (atMs, index) => {
    await time.sleep(atMs);
    let attempts = 0;
    const settlements = store.settlements(() => {
      attempts += 1;
    });
    let begunMs = time.nowMs;
    const work = async () => {
      const seen = await fundsOf('ws_hot', { keyId: null }, { ...ports, freePages: UNLIMITED_FREE_PAGES });
      await time.sleep(READING_MS);
      begunMs = time.nowMs;
      const deadlineMs = begunMs + DEADLINE_MS;
      const read = { page: chargedPage, seen, lease: null, deadlineMs, keyId: null, uploadKey: null };
      await settle({ extractionId: String(index), ...read }, { ...ports, settlements });
    };
    return outcomeOf(
      work(),
      () => begunMs,
      () => attempts,
    );
  });
  const paid = Array.from({ length: payments }, async (_, second) => {
    await time.sleep(READING_MS + second * 1000);
    const payment = {
      workspaceId: 'ws_hot',
      amountKrw: TOP_UP_KRW,
      reference: `payment ${second}`,
      origin: SYSTEM_ORIGIN,
    };
    const begunMs = time.nowMs;
    return outcomeOf(
      topUp(payment, ports),
      () => begunMs,
      () => 0,
    );
  });
  await time.run();
  const simulated = { outcomes: await Promise.all(calls), topUps: await Promise.all(paid), store };
  audit(opened, simulated);
  return simulated;
}

/** @throws Error where the ledger does not add up */
function audit(opened: Account, { outcomes, topUps, store }: Simulated): void {
  const { account, entries } = store;
  const count = (of: readonly Outcome[]) => of.filter(({ kind }) => kind === 'settled').length;
  const [settled, paid] = [count(outcomes), count(topUps)];
  let balanceKrw = opened.balanceKrw;
  for (const [index, entry] of entries.entries()) {
    balanceKrw += entry.amountKrw;
    if (entry.balanceKrw !== balanceKrw || entry.sequence !== opened.version + 1 + index)
      throw new Error(`Entry ${entry.sequence} says ${entry.balanceKrw} KRW, not ${balanceKrw}.`);
  }
  const expectedKrw = opened.balanceKrw - settled * CALL_PRICE_KRW + paid * TOP_UP_KRW;
  if (entries.length !== settled + paid || account.balanceKrw !== expectedKrw || balanceKrw !== expectedKrw)
    throw new Error(`${entries.length} entries and ${account.balanceKrw} KRW after ${settled} charges.`);
}

function print(title: string, { outcomes, topUps, store }: Simulated): void {
  const { combined, longest } = store;
  const together = combined.reduce((sum, size) => sum + size, 0);
  console.log(`  ${title}${summary(outcomes)}`);
  const indent = ' '.repeat(2 + title.length);
  if (combined.length > 0)
    console.log(
      `${indent}in line ${together}, posted ${(together / combined.length).toFixed(1)} at a time, the longest line ${longest}`,
    );
  if (topUps.length > 0) console.log(`${indent}payments: ${times(topUps)}`);
}

function summary(outcomes: readonly Outcome[]): string {
  const failed = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const attempts = outcomes.map((outcome) => outcome.attempts);
  const mean = attempts.reduce((sum, n) => sum + n, 0) / attempts.length;
  return [
    times(outcomes),
    `attempts mean ${mean.toFixed(1)}`,
    `busy ${failed('busy')}`,
    ...(failed('failed') > 0 ? [`failed ${failed('failed')}`] : []),
  ].join(', ');
}

function times(outcomes: readonly Outcome[]): string {
  const settled = outcomes.flatMap(({ kind, ms }) => (kind === 'settled' ? [ms] : [])).sort((a, b) => a - b);
  const at = (share: number) =>
    `${((settled[Math.min(settled.length - 1, Math.floor(share * settled.length))] ?? 0) / 1000).toFixed(2)} s`;
  const share = ((100 * settled.length) / outcomes.length).toFixed(1);
  return `settled ${settled.length} of ${outcomes.length} (${share} %), median ${at(0.5)}, p99 ${at(0.99)}, last ${at(1)}`;
}

/**
 * `npm run bench:hot-account`: one workspace whose calls end at a steady rate, charged by the service's own settlement over a
 * simulated DynamoDB: how many are settled, how long that takes, and how many get 503. Time is virtual and chance seeded: the
 * figures are the same on every machine. Begins with 200 charges at once, which `npm run bench:charges` measures on the
 * embedded store, so that the two can be compared.
 *
 *     npm run bench:hot-account -- --rates 10,50,100,300,1000 --seconds 30
 */
import { parseArgs } from 'node:util';
import type { Account, LedgerEntry } from '../functions/accounts/domain/account.ts';
import { AccountBusy } from '../functions/accounts/domain/change-account.ts';
import { COLLISIONS } from '../functions/adapters/shared/system-ports.ts';
import { CALL_PRICE_KRW, FREE_CALLS } from '../functions/extraction/domain/pricing/price-call.ts';
import { type SettlePorts, settle } from '../functions/extraction/domain/settle.ts';
import { retryDelayMs } from '../functions/shared/leases/retry-schedule.ts';
import { chargedPage } from './charged-page.ts';
import { Random } from './corpus/random.ts';
import { VirtualTime } from './virtual-time.ts';

/** What a call has left for its settlement when its page is read: of 29 seconds. */
const DEADLINE_MS = 25_000;

/** The simulated DynamoDB. */
interface StoreModel {
  /** A consistent read, and a transaction of five writes, as a function sees them; each varies by a quarter. */
  readonly readMs: number;
  readonly transactionMs: number;
  /** Of a transaction, the time from its check of the conditions to its commit, in which it refuses others on the same item. */
  readonly holdMs: number;
  /** Write units that a partition takes a second; an attempt takes two for the account and two for its entry. */
  readonly unitsPerSecond: number;
}

const ON_AWS: StoreModel = { readMs: 4, transactionMs: 15, holdMs: 8, unitsPerSecond: 1000 };
/** As `bench:charges` has it with 20 ms a round trip: transactions one after another, and no limit. */
const EMBEDDED: StoreModel = { readMs: 21, transactionMs: 22, holdMs: 0, unitsPerSecond: Number.POSITIVE_INFINITY };

interface Outcome {
  readonly kind: 'settled' | 'busy' | 'late';
  readonly ms: number;
  readonly attempts: number;
}

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '10,50,100,300,1000' },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '20261122' },
  },
});

const at200 = await simulate(EMBEDDED, Array(200).fill(0));
console.log('200 charges at once, 20 ms a round trip, to compare with bench:charges');
console.log(`  ${summary(at200, 0)}\n`);

console.log(
  `One account, ${values.seconds} s; a read ${ON_AWS.readMs} ms, a transaction ${ON_AWS.transactionMs} ms of which it holds the account ${ON_AWS.holdMs} ms, ${ON_AWS.unitsPerSecond} write units a second`,
);
for (const rate of values.rates.split(',').map(Number)) {
  const random = new Random(`${values.seed} ${rate}`);
  const arrivals: number[] = [];
  for (let ms = 0; ms < Number(values.seconds) * 1000; ms += (-Math.log(1 - random.next()) * 1000) / rate)
    arrivals.push(ms);
  const outcomes = await simulate(ON_AWS, arrivals);
  console.log(`  ${String(rate).padStart(5)}/s  ${summary(outcomes, Number(values.seconds))}`);
}

/** @param arrivals when calls come to their settlement, ms */
async function simulate(model: StoreModel, arrivals: readonly number[]): Promise<Outcome[]> {
  const time = new VirtualTime();
  const random = new Random(values.seed);
  const about = (ms: number) => ms * random.between(0.75, 1.25);
  const opened: Account = {
    workspaceId: 'ws_hot',
    balanceKrw: arrivals.length * CALL_PRICE_KRW,
    freeCallsUsed: FREE_CALLS,
    lowBalanceThresholdKrw: null,
    lowBalanceNotified: false,
    updatedAt: null,
    version: 1,
  };
  let account = opened;
  const entries: LedgerEntry[] = [];
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  const spend = unitsOf(model.unitsPerSecond, time);
  let ids = 0;

  const portsOf = (counted: { attempts: number }): SettlePorts => ({
    clock: { now: () => time.nowMs },
    ids: { next: (prefix) => `${prefix}_${++ids}` },
    backoff: { wait: (attempt) => time.sleep(retryDelayMs(COLLISIONS, attempt, () => random.next())) },
    accounts: {
      async find() {
        const ms = about(model.readMs);
        await time.sleep(ms / 2);
        const found = account;
        await time.sleep(ms / 2);
        return found;
      },
    },
    settlements: {
      async settle({ payment }) {
        counted.attempts += 1;
        const ms = about(model.transactionMs);
        const away = Math.max(0, ms - model.holdMs) / 2;
        await time.sleep(away);
        const isTaken = spend(4) && heldUntilMs <= time.nowMs && account.version === payment!.before.version;
        if (isTaken) {
          heldUntilMs = time.nowMs + model.holdMs;
          await time.sleep(model.holdMs);
          account = payment!.after;
          entries.push(payment!.entry);
        }
        await time.sleep(away);
        return { kind: isTaken ? 'settled' : 'conflict' };
      },
    },
  });

  const outcomes: Outcome[] = [];
  const calls = arrivals.map(async (atMs, index) => {
    await time.sleep(atMs);
    const counted = { attempts: 0 };
    const ports = portsOf(counted);
    // Read when the call began: it has changed since.
    const seen = await ports.accounts.find('ws_hot');
    const begun = time.nowMs;
    const kind = await settle(`ext_${index}`, chargedPage, seen!, null, begun + DEADLINE_MS, ports).then(
      () => 'settled' as const,
      (error: Error) => (error instanceof AccountBusy ? 'busy' : 'late'),
    );
    outcomes.push({ kind, ms: time.nowMs - begun, attempts: counted.attempts });
  });
  await time.run();
  await Promise.all(calls);
  audit(opened, account, entries, outcomes);
  return outcomes;
}

/** @throws Error where the ledger does not add up */
function audit(opened: Account, account: Account, entries: readonly LedgerEntry[], outcomes: readonly Outcome[]): void {
  const settled = outcomes.filter(({ kind }) => kind === 'settled').length;
  const expected = opened.balanceKrw - settled * CALL_PRICE_KRW;
  if (
    entries.length !== settled ||
    account.balanceKrw !== expected ||
    new Set(entries.map(({ sequence }) => sequence)).size !== settled
  )
    throw new Error(`${entries.length} entries and ${account.balanceKrw} KRW after ${settled} charges.`);
}

/** A bucket of a second's worth of units. */
function unitsOf(perSecond: number, time: VirtualTime): (units: number) => boolean {
  if (perSecond === Number.POSITIVE_INFINITY) return () => true;
  let left = perSecond;
  let seenMs = 0;
  return (units) => {
    left = Math.min(perSecond, left + ((time.nowMs - seenMs) * perSecond) / 1000);
    seenMs = time.nowMs;
    if (left < units) return false;
    left -= units;
    return true;
  };
}

function summary(outcomes: readonly Outcome[], seconds: number): string {
  const settled = outcomes.filter(({ kind }) => kind === 'settled');
  const failed = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const times = settled.map(({ ms }) => ms).sort((a, b) => a - b);
  const attempts = outcomes.map((outcome) => outcome.attempts);
  const mean = attempts.reduce((sum, n) => sum + n, 0) / attempts.length;
  const at = (share: number) =>
    `${((times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0) / 1000).toFixed(2)} s`;
  return [
    `settled ${settled.length} of ${outcomes.length}${seconds > 0 ? ` (${((100 * settled.length) / outcomes.length).toFixed(1)} %)` : ''}`,
    `median ${at(0.5)}`,
    `p99 ${at(0.99)}`,
    `last ${at(1)}`,
    `attempts mean ${mean.toFixed(1)}, most ${Math.max(...attempts)}`,
    `busy ${failed('busy')}`,
    `late ${failed('late')}`,
  ].join(', ');
}

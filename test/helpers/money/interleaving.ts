import assert from 'node:assert/strict';
import type { Account, LedgerEntry } from '../../../functions/accounts/domain/account.ts';
import type { Budget } from '../../../functions/accounts/domain/budgets.ts';
import { HOLD_MS, MAX_REPEATS } from '../../../functions/accounts/domain/hold.ts';
import { HeldFunds } from '../../../functions/accounts/domain/hold-funds.ts';
import { requestKeyOf } from '../../../functions/chat/completions/request.ts';
import { DEFAULT_CONFIG } from '../../../functions/chat/domain/application.ts';
import { ChargedModels } from '../../../functions/chat/domain/charged-models.ts';
import { ModelFailed, type ModelPart, type ModelRequest } from '../../../functions/chat/domain/chat-model.ts';
import type { Principal } from '../../../functions/shared/principal.ts';
import { testClock } from '../clock.ts';
import { instantBackoff } from '../fakes.ts';
import { type Fault, faultyPorts } from '../faulty-ports.ts';
import { StoredMoney } from './stored-money.ts';
import { seeded, Turns } from './turns.ts';

/** The request of one caller, with its end. */
interface Call {
  readonly reference: string;
  readonly keyId: string;
  readonly applicationId: string;
  readonly sessionId: string | null;
  readonly key: string | null;
  readonly model: string;
  readonly maxTokens: number;
  readonly fault: Fault | null;
  readonly faultAt: number;
  readonly end: 'whole' | 'provider fails' | 'caller leaves' | 'caller leaves unanswered';
}

interface Outcome extends Call {
  /** True when the caller has the answer with its last part. */
  readonly isWhole: boolean;
  readonly refusal: string | null;
}

const KRW_PER_1K = 100;
const LIMITS_KRW = [25, 60, 500];
const [WORKSPACE, DAY] = ['ws_1', '2026-11-21'];
const LAST: readonly ModelPart['kind'][] = ['finish', 'usage'];

/** Tokens of an answer, fewer than those of its hold. */
const tokensOf = ({ maxTokens, model }: Pick<Call, 'maxTokens' | 'model'>) => maxTokens - (model === 'm1' ? 5 : 45);
const priceOf = (call: Pick<Call, 'maxTokens' | 'model'>) => Math.ceil((tokensOf(call) * KRW_PER_1K) / 1_000);

function drawnCalls(random: () => number): readonly Call[] {
  const one = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  // In half of the walks all calls are the same one.
  const isNarrow = random() < 0.5;
  const some = <T>(first: T, ...others: readonly T[]): T => (isNarrow ? first : one(first, ...others));
  return Array.from({ length: 2 + Math.floor(random() * 11) }, (_, n) => ({
    reference: `answer_${n}`,
    keyId: some('k1', 'k2'),
    applicationId: some('app_1', 'app_2'),
    sessionId: some(null, 's1', 's2'),
    key: one('once', 'once', 'once', null, 'twice'),
    model: some('m1', 'm2'),
    maxTokens: some(95, 195),
    fault: one(null, null, null, 'killed before', 'killed after', 'fails before', 'answer lost'),
    faultAt: Math.floor(random() * 14),
    end: one('whole', 'whole', 'whole', 'provider fails', 'caller leaves', 'caller leaves unanswered'),
  }));
}

/** Plays calls for answers at a price in a random order of all their steps, and compares the answers given with the charges. */
export async function checkInterleaving(seed: number): Promise<{ readonly answers: number; readonly charges: number }> {
  const random = seeded(seed);
  const turns = new Turns(random);
  const clock = testClock();
  const openingKrw = [30, 120, 2_000][Math.floor(random() * 3)]!;
  const limitKrw = LIMITS_KRW[Math.floor(random() * LIMITS_KRW.length)]!;
  const none = { tokensPerDay: null, tokensPerMonth: null, krwPerMonth: null };
  const spent = { setAt: `${DAY}T00:00:00.000Z`, day: DAY, dayKrw: 0, month: DAY.slice(0, 7), monthKrw: 0 };
  const account: Account = {
    ...{ workspaceId: WORKSPACE, balanceKrw: openingKrw, freeCallsUsed: 10, lowBalanceThresholdKrw: null },
    ...{ lowBalanceNotified: false, updatedAt: null, version: 1 },
    budgets: { 'key k1': { ...none, ...spent, krwPerDay: limitKrw } },
  };
  const money = new StoredMoney(account, () => turns.next());
  let ids = 0;
  const ports = { accounts: money, holds: money, model: { begin: () => turns.next() }, clock };
  const withIds = { ...ports, ids: { next: (prefix: string) => `${prefix}_${++ids}` } };
  const fundsOf = (through: typeof withIds) =>
    new HeldFunds({ ...through, backoff: instantBackoff, onUnreleased: () => undefined });
  const calls = drawnCalls(random);
  const outcomes: Outcome[] = [];

  async function play(call: Call): Promise<void> {
    // Some calls are repetitions, which start when others have ended.
    for (let wait = Math.floor(random() * random() * 150); wait > 0; wait--) await turns.next();
    const { ports: faulty } = faultyPorts(withIds, call.fault, call.faultAt);
    const gone = new AbortController();
    const models = new ChargedModels(
      { stream: () => answerTo(call, faulty.model, gone) },
      { funds: fundsOf(faulty), clock, ids: withIds.ids, krwPer1kTokens: KRW_PER_1K },
    );
    const got: ModelPart[] = [];
    let refusal: string | null = null;
    try {
      for await (const part of models.stream(modelOf(call), askerOf(call), requestOf(call), gone.signal)) {
        got.push(part);
        if (call.end === 'caller leaves') break;
      }
    } catch (error) {
      refusal = error instanceof ModelFailed ? error.code : 'crash';
    }
    outcomes.push({ ...call, refusal, isWhole: got.some(({ kind }) => LAST.includes(kind)) });
  }

  await turns.play(calls.map(play));
  clock.advance(HOLD_MS / 1000 + 1);
  await turns.play([fundsOf(withIds).releaseExpired(WORKSPACE)]);
  expectBooks(money, openingKrw);
  for (const entry of money.entries) expectDue(entry, outcomes);
  expectPaid(outcomes, money.entries);
  return { answers: outcomes.filter(({ isWhole }) => isWhole).length, charges: money.entries.length };
}

async function* answerTo(
  call: Call,
  model: { begin(): Promise<void> },
  gone: AbortController,
): AsyncGenerator<ModelPart> {
  await model.begin();
  if (call.end === 'caller leaves unanswered') {
    gone.abort(new Error('gone'));
    throw gone.signal.reason;
  }
  yield { kind: 'text', text: 'Good day.' };
  if (call.end === 'provider fails') throw new ModelFailed('provider_error', 'The model broke off.');
  yield { kind: 'finish', reason: 'stop' };
  const total_tokens = tokensOf(call);
  yield { kind: 'usage', usage: { prompt_tokens: 10, completion_tokens: total_tokens - 10, total_tokens } };
}

const modelOf = ({ model }: Call) => ({ ...DEFAULT_CONFIG.model, provider: 'embedded' as const, name: model });

function requestOf({ maxTokens }: Call): ModelRequest {
  return {
    ...{ messages: [{ role: 'user', content: 'Hello' }], temperature: null, topP: null, maxTokens, stop: [] },
    ...{ tools: [], toolChoice: null, responseFormat: null, more: {} },
  };
}

function askerOf({ applicationId, sessionId, keyId, key, reference }: Call) {
  const application = { workspaceId: WORKSPACE, applicationId };
  const principal = {
    kind: 'key',
    id: keyId,
    workspaceId: WORKSPACE,
    role: 'admin',
    scopes: ['chat'],
  } satisfies Principal;
  const session = sessionId === null ? null : { ...application, caller: { kind: 'key', id: keyId }, sessionId };
  const headers = { ...(key && { 'idempotency-key': key }) };
  const requestKey = requestKeyOf(application, principal, headers, session as never, reference);
  return { ...application, keyId, work: { reference, key: requestKey } };
}

/** The ledger adds up, nothing is held any more, and the budget has counted each charge and kept its limit. */
function expectBooks({ account, entries, holds }: StoredMoney, openingKrw: number): void {
  const sum = (some: readonly LedgerEntry[]) => some.reduce((krw, { amountKrw }) => krw + amountKrw, 0);
  assert.equal(account.balanceKrw, openingKrw + sum(entries));
  assert.ok(entries.every(({ balanceKrw }) => balanceKrw >= 0));
  const budget: Budget = account.budgets!['key k1']!;
  assert.deepEqual([holds.size, account.heldKrw ?? 0, budget.heldKrw ?? 0], [0, 0, 0]);
  assert.equal(budget.dayKrw, 0 - sum(entries.filter(({ keyId }) => keyId === 'k1')));
  assert.ok(budget.dayKrw <= budget.krwPerDay!, `${budget.dayKrw} of ${budget.krwPerDay} KRW`);
}

/** A charge is of one call that was not refused, at its price. */
function expectDue(entry: LedgerEntry, outcomes: readonly Outcome[]): void {
  const [call, ...others] = outcomes.filter(({ reference }) => reference === entry.reference);
  assert.ok(call && others.length === 0);
  assert.notEqual(call.end, 'provider fails');
  assert.ok(!['insufficient_balance', 'budget_used_up'].includes(String(call.refusal)), String(call.refusal));
  if (call.end === 'whole') assert.equal(entry.amountKrw, 0 - priceOf(call));
  else assert.ok(entry.amountKrw < 0 && entry.amountKrw >= 0 - priceOf(call));
}

/** Every answer has its charge, or is one of three repetitions of the same request after its charge. */
function expectPaid(outcomes: readonly Outcome[], entries: readonly LedgerEntry[]): void {
  const charged = (call: Call) => entries.filter(({ reference }) => reference === call.reference).length;
  const identityOf = (call: Outcome) =>
    JSON.stringify([call.keyId, call.applicationId, call.sessionId, call.key, call.model, call.maxTokens]);
  for (const call of outcomes) assert.ok(charged(call) <= 1, `${call.reference} was charged twice`);
  for (const call of outcomes) {
    const hasAnswer = call.isWhole || (call.end.startsWith('caller leaves') && call.fault === null && !isRefused(call));
    if (!hasAnswer || charged(call) === 1) continue;
    assert.notEqual(call.key, null, `${call.reference} without a key is free`);
    const same = outcomes.filter((other) => identityOf(other) === identityOf(call));
    const paid = same.filter((other) => other.end === 'whole' && charged(other) === 1);
    const free = same.filter((other) => other.isWhole && charged(other) === 0);
    assert.ok(paid.length > 0, `${call.reference} is free`);
    assert.ok(free.length <= MAX_REPEATS * paid.length, `${free.length} answers are free for ${paid.length} paid`);
  }
}

const isRefused = ({ refusal }: Outcome) => refusal === 'insufficient_balance' || refusal === 'budget_used_up';

import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { balance, topUpResult } from '../../../functions/accounts/schemas.ts';
import { jitteredBackoff } from '../../../functions/adapters/shared/system-ports.ts';
import { type ApiAnswer, call, problemOf } from '../../helpers/api.ts';
import { type EmbeddedSecrets, startSecretsManager } from '../../helpers/secrets-manager.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useOwnService } from '../../helpers/service.ts';
import { changeKey, createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/balance/top-ups';
const PAYMENTS_PATH = '/api/v1/payments';
const SECRET = 'A'.repeat(44);
// As on AWS: the secret is in Secrets Manager, as it was generated there.
let secrets: EmbeddedSecrets;
const service = useOwnService(async () => {
  secrets = await startSecretsManager({ 'test-payment-secret': SECRET });
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url;
  process.env.PAYMENT_SECRET = 'test-payment-secret';
});
afterAll(() => secrets.stop());
vi.stubEnv('LOG_LEVEL', 'SILENT');

const topUp = ({ apiKey }: Pick<TestWorkspace, 'apiKey'>, body: unknown): Promise<ApiAnswer> =>
  call(service, 'POST', PATH, { key: apiKey, body });
const resultOf = (answer: ApiAnswer) => topUpResult.strict().parse(answer.json);
const balanceOf = async ({ apiKey }: Pick<TestWorkspace, 'apiKey'>) =>
  balance.parse((await call(service, 'GET', '/api/v1/balance', { key: apiKey })).json);
const entriesOf = async ({ apiKey }: Pick<TestWorkspace, 'apiKey'>) =>
  (await call(service, 'GET', '/api/v1/balance/entries', { key: apiKey })).json as { entries: object[] };

describe('201', () => {
  it('books the payment with its entry, exactly as the OpenAPI document describes it', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const answer = await topUp(workspace, { amountKrw: 50_000, reference: '국민은행 20261121-0001' });
    expect(answer.status).toBe(201);
    const { entry, balance: after } = resultOf(answer);
    expect(entry).toMatchObject({
      type: 'top_up',
      amountKrw: 50_000,
      balanceAfterKrw: 50_000,
      reference: '국민은행 20261121-0001',
    });
    expect(after).toEqual({ balanceKrw: 50_000, lowBalanceThresholdKrw: null, updatedAt: entry.createdAt });
    expect(await balanceOf(workspace)).toEqual(after);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  });

  it('books a payment once, however often it is sent, and answers with its entry each time', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000 });
    const payment = { amountKrw: 500, reference: 'transfer-1' };
    const first = await topUp(workspace, payment);
    const again = await topUp(workspace, { reference: ' transfer-1 ', amountKrw: 500 });
    expect(again.status).toBe(201);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');

    await topUp(workspace, { amountKrw: 7, reference: 'transfer-2' });
    const late = resultOf(await topUp(workspace, payment));
    expect(late.entry).toEqual(resultOf(first).entry);
    expect(late.balance.balanceKrw).toBe(1507);
  });

  it('books it once when it is sent ten times at the same moment', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const payment = { amountKrw: 300, reference: 'impatient' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => topUp(workspace, payment)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map((answer) => resultOf(answer).entry.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 300 });
  });

  it('books different payments at the same moment one after the other: the ledger adds up line by line', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const amounts = Array.from({ length: 12 }, (_, i) => i + 1);
    await Promise.all(amounts.map((amountKrw) => topUp(workspace, { amountKrw, reference: `payment ${amountKrw}` })));
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 78 });
    const { entries } = (await entriesOf(workspace)) as { entries: { amountKrw: number; balanceAfterKrw: number }[] };
    const oldestFirst = entries.toReversed();
    let sum = 0;
    for (const { amountKrw, balanceAfterKrw } of oldestFirst) {
      sum += amountKrw;
      expect(balanceAfterKrw).toBe(sum);
    }
    expect(sum).toBe(78);
  });

  it('is the workspace’s own: another one may use the same reference', async () => {
    const [one, other] = [await createWorkspace({ balanceKrw: 0 }), await createWorkspace({ balanceKrw: 0 })];
    const payment = { amountKrw: 900, reference: 'same' };
    expect((await topUp(one, payment)).status).toBe(201);
    const answer = await topUp(other, payment);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    expect(await balanceOf(other)).toMatchObject({ balanceKrw: 900 });
  });

  it('takes the largest and the smallest payment', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    expect((await topUp(workspace, { amountKrw: 1, reference: 'a' })).status).toBe(201);
    expect((await topUp(workspace, { amountKrw: 100_000_000, reference: 'b' })).status).toBe(201);
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 100_000_001 });
  });

  it("a top-up takes one read and one transaction in addition to the key's look-up", async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    await balanceOf(workspace);
    const sent = await sentCommands(() => topUp(workspace, { amountKrw: 5, reference: 'counted' }));
    expect(sent).toEqual(['Get', 'Get', 'TransactWrite']);
  });
});

describe('400 invalid_request names the field', () => {
  it.each([
    [{ reference: 'a' }, 'amountKrw', 'a whole number of KRW from 1 to 100000000'],
    [{ amountKrw: '500', reference: 'a' }, 'amountKrw', 'whole number'],
    [{ amountKrw: 0, reference: 'a' }, 'amountKrw', 'from 1'],
    [{ amountKrw: -500, reference: 'a' }, 'amountKrw', 'from 1'],
    [{ amountKrw: 0.5, reference: 'a' }, 'amountKrw', 'whole number'],
    [{ amountKrw: 100_000_001, reference: 'a' }, 'amountKrw', 'to 100000000'],
    [{ amountKrw: 1e300, reference: 'a' }, 'amountKrw', 'whole number'],
    [{ amountKrw: null, reference: 'a' }, 'amountKrw', 'whole number'],
    [{ amountKrw: 500 }, 'reference', 'expected string'],
    [{ amountKrw: 500, reference: '' }, 'reference', '1 to 100 characters'],
    [{ amountKrw: 500, reference: '   ' }, 'reference', '1 to 100 characters'],
    [{ amountKrw: 500, reference: 'x'.repeat(101) }, 'reference', '1 to 100 characters'],
    [{ amountKrw: 500, reference: 'two\nlines' }, 'reference', 'no line breaks'],
    [{ amountKrw: 500, reference: 'a', currency: 'USD' }, 'currency', 'is not known here'],
  ])('%j: %s', async (body, field, text) => {
    const answer = await topUp(service, body);
    expect(answer.status).toBe(400);
    const { code, message, details } = problemOf(answer);
    expect(code).toBe('invalid_request');
    expect(message).toContain(`${field}: `);
    expect((details as { fields: Record<string, string> }).fields[field]).toContain(text);
  });

  it('and books nothing', async () => {
    expect(await balanceOf(service)).toMatchObject({ balanceKrw: 10_000 });
  });
});

describe('401, 403 and 422', () => {
  it('401 invalid_key without a key', async () => {
    const answer = await call(service, 'POST', PATH, { key: null, body: { amountKrw: 1, reference: 'a' } });
    expect(answer.status).toBe(401);
    expect(problemOf(answer).code).toBe('invalid_key');
  });

  it('403 forbidden with a key that is narrowed to some services, which may still look', async () => {
    const workspace = await createWorkspace();
    await changeKey(workspace.keyId, { scopes: ['extraction', 'chat'] });
    const answer = await topUp(workspace, { amountKrw: 500, reference: 'a' });
    expect(answer.status).toBe(403);
    expect(problemOf(answer)).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('Use a key that has every scope'),
      details: { role: 'owner' },
    });
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 10_000 });
    expect((await entriesOf(workspace)).entries).toHaveLength(1);
  });

  it('422 reference_reused for another amount under a reference that was booked', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    await topUp(workspace, { amountKrw: 500, reference: 'transfer-1' });
    const answer = await topUp(workspace, { amountKrw: 501, reference: 'transfer-1' });
    expect(answer.status).toBe(422);
    expect(problemOf(answer)).toMatchObject({
      code: 'reference_reused',
      message: expect.stringContaining('was booked with 500 KRW, not 501'),
      details: { bookedKrw: 500 },
    });
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 500 });
  });

  it('503 try_again when other transactions are in the way for ever; nothing is booked', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const waits = vi.spyOn(jitteredBackoff, 'wait').mockResolvedValue();
    await service.aws.dynamodb.conflictNextTransactions(1000);
    const answer = await topUp(workspace, { amountKrw: 500, reference: 'a' });
    await service.aws.dynamodb.conflictNextTransactions(0);
    expect(waits).toHaveBeenCalledTimes(14);
    waits.mockRestore();
    expect(answer.status).toBe(503);
    expect(problemOf(answer).code).toBe('try_again');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 0 });
  });
});

describe('where payments are the operator’s', () => {
  it('an owner posts none, by key and by token', async () => {
    vi.stubEnv('TOP_UPS', 'operator');
    try {
      const workspace = await createWorkspace({ balanceKrw: 5 });
      const answer = await topUp(workspace, { amountKrw: 1_000_000, reference: 'my own word' });
      expect([answer.status, problemOf(answer).code]).toEqual([403, 'operators_only']);
      expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 5 });
    } finally {
      vi.unstubAllEnvs();
      vi.stubEnv('LOG_LEVEL', 'SILENT');
    }
  });
});

describe('a webhook of the payment provider', () => {
  interface Signing {
    readonly secret?: string;
    readonly at?: Date;
    readonly signed?: string;
  }

  /** Signs as the reference library of Standard Webhooks does. */
  function pay(payment: unknown, { secret = `whsec_${SECRET}`, at = new Date(), signed }: Signing = {}) {
    const raw = JSON.stringify({ type: 'payment.confirmed', timestamp: at.toISOString(), data: payment });
    return call(service, 'POST', PAYMENTS_PATH, {
      key: null,
      raw,
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, signed ?? raw),
      },
    });
  }

  it('posts the payment once, and leaves its trace in ledger and audit trail', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const { workspaceId } = workspace;
    const payment = { workspaceId, amountKrw: 70_000, reference: 'toss 2026-11-22 0001' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => pay(payment)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(resultOf(answers[0]!).entry).toMatchObject({ amountKrw: 70_000, reference: payment.reference });
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 70_000 });
    const { json } = await call(service, 'GET', '/api/v1/audit', { key: workspace.apiKey });
    expect(json).toMatchObject({
      data: { entries: [{ action: 'balance.topped_up', actor: { kind: 'system', id: null }, address: '127.0.0.1' }] },
    });
  });

  it('is posted also where an owner has booked another amount under its reference', async () => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const { workspaceId } = workspace;
    const reference = 'toss 2026-11-22 0002';
    expect((await topUp(workspace, { amountKrw: 1, reference })).status).toBe(201);
    const answer = await pay({ workspaceId, amountKrw: 70_000, reference });
    expect(answer.status).toBe(201);
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 70_001 });
  });

  it.each([
    ['is signed with another secret', { secret: `whsec_${'B'.repeat(44)}` }],
    ['was changed after it was signed', { signed: '{}' }],
    ['is six minutes old', { at: new Date(Date.now() - 360_000) }],
    ['comes from the future', { at: new Date(Date.now() + 3_600_000) }],
  ])('that %s is 401, and posts nothing', async (_, signing) => {
    const workspace = await createWorkspace({ balanceKrw: 0 });
    const payment = { workspaceId: workspace.workspaceId, amountKrw: 70_000, reference: 'forged' };
    expect((await pay(payment, signing)).status).toBe(401);
    expect((await call(service, 'POST', PAYMENTS_PATH, { key: workspace.apiKey, body: {} })).status).toBe(401);
    expect(await balanceOf(workspace)).toMatchObject({ balanceKrw: 0 });
  });

  it('a top-up of an unknown workspace, another amount, or another form reports the fault', async () => {
    const { workspaceId } = await createWorkspace();
    const payment = { workspaceId, amountKrw: 500, reference: 'r' };
    expect((await pay(payment)).status).toBe(201);
    const codes = [];
    for (const wrong of [{ workspaceId: 'ws_none' }, { amountKrw: 501 }, { amountKrw: 0 }, { reference: '' }]) {
      const answer = await pay({ ...payment, ...wrong });
      codes.push([answer.status, problemOf(answer).code]);
    }
    expect(codes).toEqual([
      [404, 'unknown_workspace'],
      [422, 'reference_reused'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
    ]);
  });
});

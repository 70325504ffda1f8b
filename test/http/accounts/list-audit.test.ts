import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { AUDIT_KEPT_SECONDS, auditEntry, SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { auditPage } from '../../../functions/accounts/schemas.ts';
import { DynamoAudit } from '../../../functions/adapters/accounts/dynamo-audit.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { envelopeOf } from '../../../functions/shared/http/envelope.ts';
import { type ApiAnswer, call } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/audit';
const service = useService();

const list = ({ apiKey }: Pick<TestWorkspace, 'apiKey'>, query = ''): Promise<ApiAnswer> =>
  call(service, 'GET', PATH + query, { key: apiKey });
const pageOf = ({ json }: ApiAnswer): z.output<typeof auditPage> => envelopeOf(auditPage).strict().parse(json).data;
const topUp = ({ apiKey }: Pick<TestWorkspace, 'apiKey'>, reference: string) =>
  call(service, 'POST', '/api/v1/balance/top-ups', {
    key: apiKey,
    body: { amountKrw: 100, reference },
    headers: { 'user-agent': 'bookkeeping/1' },
  });

/** Stores an entry as of another time. */
async function recordAt(workspaceId: string, ms: number): Promise<void> {
  const act = { workspaceId, action: 'login.failed', target: null } as const;
  const entry = auditEntry(act, SYSTEM_ORIGIN, { clock: { now: () => ms }, ids: ulidIds });
  await new DynamoAudit(dynamoClient(), environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE, systemClock).record(entry);
}

describe('200', () => {
  it('says who did what, when, and from where', async () => {
    const workspace = await createWorkspace();
    const before = Date.now();
    const { headers } = await topUp(workspace, 'transfer-1');
    await call(service, 'PATCH', '/api/v1/balance', { key: workspace.apiKey, body: { lowBalanceThresholdKrw: 500 } });
    const answer = await list(workspace);
    expect(answer.status).toBe(200);
    const { entries, next_cursor } = pageOf(answer);
    expect(next_cursor).toBeNull();
    expect(entries).toMatchObject([
      { action: 'balance.threshold_changed', target: null, details: { thresholdKrw: 500 } },
      {
        action: 'balance.topped_up',
        actor: { kind: 'key', id: workspace.keyId },
        target: expect.stringMatching(/^led_/),
        details: { amountKrw: 100, reference: 'transfer-1' },
        address: '127.0.0.1',
        user_agent: 'bookkeeping/1',
        request_id: headers.get('x-request-id'),
      },
    ]);
    expect(Date.parse(entries[1]!.created_at)).toBeGreaterThanOrEqual(before);
  });

  it('has one entry of a payment that is sent several times', async () => {
    const workspace = await createWorkspace();
    await Promise.all(Array.from({ length: 5 }, () => topUp(workspace, 'impatient')));
    expect(pageOf(await list(workspace)).entries).toHaveLength(1);
  });

  it('comes in pages, newest first, which later entries do not move', async () => {
    const workspace = await createWorkspace();
    for (const n of [1, 2, 3, 4, 5]) await topUp(workspace, `payment ${n}`);
    const first = pageOf(await list(workspace, '?limit=2'));
    await topUp(workspace, 'payment 6');
    const second = pageOf(await list(workspace, `?limit=2&cursor=${first.next_cursor}`));
    const third = pageOf(await list(workspace, `?limit=2&cursor=${second.next_cursor}`));
    expect([first, second, third].flatMap(({ entries }) => entries.map(({ details }) => details.reference))).toEqual(
      [5, 4, 3, 2, 1].map((n) => `payment ${n}`),
    );
    expect(third.next_cursor).toBeNull();
  });

  it('the trail leaves out entries older than 400 days, and other workspaces’', async () => {
    const [workspace, other] = [await createWorkspace(), await createWorkspace()];
    await topUp(other, 'elsewhere');
    expect(pageOf(await list(workspace)).entries).toEqual([]);
    await recordAt(workspace.workspaceId, Date.now() - AUDIT_KEPT_SECONDS * 1000 - 5_000);
    await recordAt(workspace.workspaceId, Date.now() - AUDIT_KEPT_SECONDS * 1000 + 600_000);
    expect(pageOf(await list(workspace)).entries).toHaveLength(1);
  });
});

describe('errors', () => {
  it.each(['?limit=0', '?limit=101', '?cursor=abc', '?cursor=aud_', '?before=1'])('400 for %s', async (query) => {
    const { status, json } = await list(service, query);
    expect([status, json]).toMatchObject([400, { data: null, status: 'error', code: 400 }]);
  });

  it('401 without a credential', async () => {
    expect((await call(service, 'GET', PATH, { key: null })).status).toBe(401);
  });

  it('403 for a key that is narrowed to some services', async () => {
    const workspace = await createWorkspace();
    await changeKey(workspace.keyId, { scopes: ['extraction', 'sandbox'] });
    const { status, json } = await list(workspace);
    expect([status, json]).toMatchObject([403, { message: expect.stringContaining('Use a key that has every scope') }]);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { type TopUpPorts, topUp } from '../../../functions/accounts/domain/top-up.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoLedger } from '../../../functions/adapters/accounts/dynamo-ledger.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { openAccount, traces } from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const topUpPorts = (): TopUpPorts => ({
  accounts: new DynamoAccounts(dynamo.client, TABLES.accounts),
  ledger: new DynamoLedger(dynamo.client, TABLES.accounts),
  clock: testClock(),
  ids: ulidIds,
  backoff: { wait: async () => undefined },
});

/** A payment that meets `fault` at its call number `at` to a port, after as many collisions as `conflicts`. */
async function pay(fault: Fault | null, at: number, conflicts: number) {
  const workspaceId = await openAccount(dynamo, { balanceKrw: 100, freeCallsUsed: 10 });
  const payment = { workspaceId, amountKrw: 500, reference: 'transfer-1', origin: SYSTEM_ORIGIN };
  const { ports, calls } = faultyPorts(topUpPorts(), fault, at);
  dynamo.database.conflictNextTransactions(conflicts);
  await topUp(payment, ports).catch(() => undefined);
  dynamo.database.conflictNextTransactions(0);
  return { payment, calls };
}

for (const conflicts of [0, 2])
  for (const fault of ['killed before', 'killed after', 'fails before', 'answer lost'] as const)
    it(`${fault}, ${conflicts} collisions: at every port call, sending the payment again books it exactly once`, async () => {
      const { calls } = await pay(null, 0, conflicts);
      expect(calls).toContain('ledger.topUp');
      for (const at of sampledCalls(calls.length)) {
        const { payment } = await pay(fault, at, conflicts);
        const again = await topUp(payment, topUpPorts());
        const { account, entries } = await traces(dynamo, payment.workspaceId);
        expect(account.balanceKrw, `${fault} ${calls[at]}`).toBe(600);
        expect(entries).toMatchObject([{ kind: 'top_up', amountKrw: 500, balanceKrw: 600, reference: 'transfer-1' }]);
        expect(again).toMatchObject({ entry: { entryId: entries[0]?.entryId }, account: { balanceKrw: 600 } });
      }
    });

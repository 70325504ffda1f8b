import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { authenticate } from '../../../functions/accounts/domain/authenticate.ts';
import { createKey, type KeyPorts, revokeKey } from '../../../functions/accounts/domain/manage-keys.ts';
import { DynamoApiKeys } from '../../../functions/adapters/accounts/dynamo-api-keys.ts';
import { DynamoAudit } from '../../../functions/adapters/accounts/dynamo-audit.ts';
import { DynamoKeyRing } from '../../../functions/adapters/accounts/dynamo-key-ring.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const satisfies Fault[];
const clock = testClock();
let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const keyPorts = (): KeyPorts => ({
  ring: new DynamoKeyRing(dynamo.client, TABLES.accounts),
  clock,
  ids: ulidIds,
  random: randomBytes,
  backoff: instantBackoff,
});
const newWorkspace = () => ulidIds.next('ws');
const requestOf = (workspaceId: string) =>
  ({ workspaceId, name: 'key', scopes: ['chat'], validUntil: null, origin: SYSTEM_ORIGIN }) as const;

/** The records that a workspace's keys have left behind. */
async function remains(workspaceId: string) {
  const { keys } = await new DynamoKeyRing(dynamo.client, TABLES.accounts).keysOf(workspaceId);
  const records = (await dynamo.items('accounts', 'API_KEY#')).filter((item) => item.workspaceId === workspaceId);
  const entries = await new DynamoAudit(dynamo.client, TABLES.accounts, clock).entries(workspaceId, 10, null);
  return { listed: keys.length, records: records.length, actions: entries.map(({ action }) => action) };
}

async function create(workspaceId: string, fault: Fault | null, at: number, conflicts: number) {
  const { ports, calls } = faultyPorts(keyPorts(), fault, at);
  dynamo.database.conflictNextTransactions(conflicts);
  const made = await createKey(requestOf(workspaceId), ports).catch(() => null);
  dynamo.database.conflictNextTransactions(0);
  return { made, calls };
}

for (const conflicts of [0, 2])
  for (const fault of FAULTS)
    it(`${fault}, ${conflicts} collisions: at every port call, a key is there whole or not at all`, async () => {
      const { calls } = await create(newWorkspace(), null, 0, conflicts);
      expect(calls).toContain('ring.add');
      for (const at of sampledCalls(calls.length)) {
        const workspaceId = newWorkspace();
        const { made } = await create(workspaceId, fault, at, conflicts);
        const left = await remains(workspaceId);
        const whole = { listed: 1, records: 1, actions: ['api_key.created'] };
        const none = { listed: 0, records: 0, actions: [] };
        expect([whole, none], `${fault} ${calls[at]}`).toContainEqual(left);
        if (made === null) continue;
        expect(left).toEqual(whole);
        const keys = new DynamoApiKeys(dynamo.client, TABLES.accounts);
        expect(await authenticate(made.text, keys, clock.now())).toEqual(made.key);
      }
    });

it.each(FAULTS)('%s: at every port call, a key is revoked with its entry, or works', async (fault) => {
  const workspaceId = newWorkspace();
  const { key } = await createKey(requestOf(workspaceId), keyPorts());
  const { ports, calls } = faultyPorts(keyPorts(), null, 0);
  await revokeKey(workspaceId, key.id, SYSTEM_ORIGIN, ports);
  for (const at of sampledCalls(calls.length)) {
    const { key: next } = await createKey(requestOf(workspaceId), keyPorts());
    await revokeKey(workspaceId, next.id, SYSTEM_ORIGIN, faultyPorts(keyPorts(), fault, at).ports).catch(
      () => undefined,
    );
    const { listed, actions } = await remains(workspaceId);
    const revoked = actions.filter((action) => action === 'api_key.revoked').length;
    const created = actions.filter((action) => action === 'api_key.created').length;
    expect(listed, `${fault} ${calls[at]}`).toBe(created - revoked);
    if (listed === 1) await revokeKey(workspaceId, next.id, SYSTEM_ORIGIN, keyPorts());
  }
});

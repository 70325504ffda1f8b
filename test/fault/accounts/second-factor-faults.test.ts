import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApiKey } from '../../../functions/accounts/domain/api-key.ts';
import { SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  disableSecondFactor,
  endSessionsWithoutFactor,
  requireCode,
} from '../../../functions/accounts/domain/second-factor.ts';
import { planWorkspace } from '../../../functions/accounts/domain/workspace.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoMembers } from '../../../functions/adapters/accounts/dynamo-members.ts';
import { DynamoSecondFactors } from '../../../functions/adapters/accounts/dynamo-second-factors.ts';
import { DynamoUsers } from '../../../functions/adapters/accounts/dynamo-users.ts';
import { systemClock, ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { otpauthTotp } from '../../../functions/adapters/tokens/otpauth-totp.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const PASSWORD = 'correct horse battery';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

function portsAt(clock: TestClock) {
  return {
    factors: new DynamoSecondFactors(dynamo.client, TABLES.accounts),
    users: new DynamoUsers(dynamo.client, TABLES.accounts),
    members: new DynamoMembers(dynamo.client, TABLES.accounts),
    hasher: passwordHasher(randomBytes, 10),
    secrets: { seal: async (text: string) => `sealed ${text}`, open: async (sealed: string) => sealed.slice(7) },
    totp: async () => otpauthTotp,
    requiresSecondFactor: async () => false,
    random: randomBytes,
    onWrongCode: async () => undefined,
    clock,
    ids: ulidIds,
  };
}

async function openOwner() {
  const clock = testClock();
  const ports = portsAt(clock);
  const workspaceId = ulidIds.next('ws');
  const email = `${workspaceId.toLowerCase()}@example.com`;
  const plan = { workspaceId, name: 'A', email, password: PASSWORD, apiKey: newApiKey(randomBytes).text };
  const workspace = await planWorkspace(
    { ...plan, openingBalanceKrw: 0 },
    { clock: systemClock, ids: ulidIds, hasher: ports.hasher },
  );
  await new DynamoAccounts(dynamo.client, TABLES.accounts).create(workspace);
  const { userId } = workspace.owner;
  /** Whether logins need a code, and whether there is a factor that gives one: never the one without the other. */
  async function isOn(): Promise<boolean> {
    const [user, factor] = await Promise.all([ports.users.find(userId), ports.factors.find(userId)]);
    const [listed] = await ports.members.list(workspaceId);
    expect([user?.secondFactor === true, listed?.secondFactor === true]).toEqual([
      factor?.isOn ?? false,
      factor?.isOn ?? false,
    ]);
    return factor?.isOn ?? false;
  }
  /** The code that an app shows now. */
  async function code(): Promise<string> {
    const { secret } = (await ports.factors.find(userId))!;
    return new TOTP({ secret: Secret.fromBase32(secret.slice(7)) }).generate({ timestamp: clock.now() });
  }
  return { clock, ports, workspaceId, userId, isOn, code };
}

type Owner = Awaited<ReturnType<typeof openOwner>>;

/** Does `work` with the fault at its first port call, at its second and so on, each time for another owner. */
async function walk(
  fault: Fault,
  prepare: (owner: Owner) => Promise<string>,
  work: (owner: Owner, ports: Owner['ports'], code: string) => Promise<unknown>,
  check: (owner: Owner, hasWorked: boolean) => Promise<void>,
) {
  for (let at = 0; ; at++) {
    const owner = await openOwner();
    const code = await prepare(owner);
    const { ports, calls } = faultyPorts(owner.ports, fault, at);
    const hasWorked = await work(owner, ports, code).then(
      () => true,
      () => false,
    );
    await check(owner, hasWorked);
    if (at >= calls.length) {
      expect(hasWorked).toBe(true);
      return;
    }
  }
}

async function begun(owner: Owner): Promise<string> {
  await beginEnrolment(owner.userId, PASSWORD, owner.ports);
  return owner.code();
}

async function on(owner: Owner): Promise<string> {
  await confirmEnrolment(owner.userId, await begun(owner), SYSTEM_ORIGIN, owner.ports);
  owner.clock.advance(60);
  return owner.code();
}

it.each(FAULTS)(
  '%s: at every port call of a first code, the factor is on for logins and codes alike, or for neither',
  (fault) =>
    walk(
      fault,
      begun,
      ({ userId }, ports, code) => confirmEnrolment(userId, code, SYSTEM_ORIGIN, ports),
      async (owner, hasWorked) => {
        if (hasWorked) expect(await owner.isOn()).toBe(true);
        // Its owner may not have got the recovery codes: they log in by the app, and replace them.
        else if (!(await owner.isOn())) {
          await confirmEnrolment(owner.userId, await owner.code(), SYSTEM_ORIGIN, owner.ports);
          expect(await owner.isOn()).toBe(true);
        }
      },
    ),
);

it.each(FAULTS)('%s: at every port call of a code, it is good once at most, and the next one is good', (fault) =>
  walk(
    fault,
    on,
    (owner, ports, code) => requireCode(owner, code, ports),
    async (owner, hasWorked) => {
      const again = await requireCode(owner, await owner.code(), owner.ports).catch(() => null);
      if (hasWorked) expect(again).toBeNull();
      owner.clock.advance(60);
      await requireCode(owner, await owner.code(), owner.ports);
    },
  ),
);

it.each(FAULTS)('%s: at every port call of a removal, the factor is whole or gone', (fault) =>
  walk(
    fault,
    on,
    (owner, ports, code) => disableSecondFactor(owner, { password: PASSWORD, code }, SYSTEM_ORIGIN, ports),
    async (owner, hasWorked) => {
      if (hasWorked) expect(await owner.isOn()).toBe(false);
      else if (await owner.isOn()) {
        owner.clock.advance(60);
        await requireCode(owner, await owner.code(), owner.ports);
      }
    },
  ),
);

it.each(FAULTS)('%s: at every port call, ending sessions without a factor again ends those that are left', (fault) =>
  walk(
    fault,
    async () => '',
    ({ workspaceId }, ports) => endSessionsWithoutFactor(workspaceId, ports),
    async ({ workspaceId, userId, ports }) => {
      await endSessionsWithoutFactor(workspaceId, ports);
      expect((await ports.users.find(userId))!.sessionEpoch).toBeGreaterThan(0);
    },
  ),
);

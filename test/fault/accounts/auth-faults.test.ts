import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRefused } from '../../../functions/accounts/domain/auth-refused.ts';
import { authenticate } from '../../../functions/accounts/domain/authenticate.ts';
import { logIn, refreshSession } from '../../../functions/accounts/domain/log-in.ts';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';
import { type RegisterPorts, register } from '../../../functions/accounts/domain/register.ts';
import type { Users } from '../../../functions/accounts/domain/user.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoApiKeys } from '../../../functions/adapters/accounts/dynamo-api-keys.ts';
import { DynamoSessions } from '../../../functions/adapters/accounts/dynamo-sessions.ts';
import { DynamoUsers } from '../../../functions/adapters/accounts/dynamo-users.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const password = 'correct horse battery';

function authPorts(clock: TestClock): RegisterPorts & { readonly users: Users } {
  return {
    workspaces: new DynamoAccounts(dynamo.client, TABLES.accounts),
    users: new DynamoUsers(dynamo.client, TABLES.accounts),
    sessions: new DynamoSessions(dynamo.client, TABLES.accounts),
    signer: { sign: async ({ sessionId }) => `access ${sessionId}` },
    clock,
    ids: ulidIds,
    random: randomBytes,
    // The cheapest: what is walked is what happens around it.
    hasher: passwordHasher(randomBytes, 10),
    lifetimes: { accessSeconds: 1800, refreshSeconds: 7 * 24 * 60 * 60 },
  };
}

const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
const account = (email: string) => ({ email, password, workspaceName: 'A', isBrowser: false });

for (const fault of FAULTS)
  it(`register, ${fault}, at every port call: the workspace is whole or not there, and sending again ends well`, async () => {
    const run = async (meets: Fault | null, at: number) => {
      const email = newEmail();
      const clock = testClock();
      const { ports, calls } = faultyPorts(authPorts(clock), meets, at);
      await register(account(email), ports).catch(() => undefined);
      return { email, calls, clock };
    };
    const { calls } = await run(null, 0);
    expect(calls).toEqual(expect.arrayContaining(['workspaces.create', 'sessions.create']));
    for (let at = 0; at < calls.length; at++) {
      const { email, clock } = await run(fault, at);
      const ports = authPorts(clock);
      const where = `${fault} ${calls[at]}`;
      const credential = await ports.users.findCredential(email);
      const again = await register(account(email), ports).catch((error: unknown) => error);
      if (credential === null) {
        const registered = again as Awaited<ReturnType<typeof register>>;
        const keys = new DynamoApiKeys(dynamo.client, TABLES.accounts);
        expect(await authenticate(registered.apiKey, keys, clock.now()), where).toMatchObject({
          workspaceId: registered.workspace.workspaceId,
        });
      } else {
        expect(again, where).toBeInstanceOf(AuthRefused);
        const parts = (await dynamo.items('accounts', `WORKSPACE#${credential.workspaceId}`)).map(({ sk }) => sk);
        expect(parts.map((sk) => String(sk).split('#')[0]).sort(), where).toEqual(
          ['ACCOUNT', 'API_KEY', 'ENTRY', 'USER', 'WORKSPACE'].sort(),
        );
      }
      const { user } = await logIn({ email, password, isBrowser: false }, ports);
      expect(user, where).toMatchObject({ role: 'owner', email });
    }
  });

for (const fault of FAULTS)
  it(`refresh, ${fault}, at every port call: asking again at once goes on with the session`, async () => {
    const clock = testClock();
    const ports = authPorts(clock);
    const run = async (meets: Fault | null, at: number) => {
      const { tokens } = await register(account(newEmail()), ports);
      const faulty = faultyPorts(ports, meets, at);
      await refreshSession(tokens.refreshToken, faulty.ports).catch(() => undefined);
      return { calls: faulty.calls, tokens };
    };
    const { calls } = await run(null, 0);
    expect(calls).toEqual(expect.arrayContaining(['sessions.find', 'users.find', 'sessions.rotate', 'signer.sign']));
    for (let at = 0; at < calls.length; at++) {
      const { tokens } = await run(fault, at);
      const second = await refreshSession(tokens.refreshToken, ports);
      const third = await refreshSession(second.refreshToken, ports);
      expect(third.accessToken, `${fault} ${calls[at]}`).toBe(tokens.accessToken);
    }
  });

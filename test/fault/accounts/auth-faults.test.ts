import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditEntry, SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { AuthRefused } from '../../../functions/accounts/domain/auth-refused.ts';
import { authenticate } from '../../../functions/accounts/domain/authenticate.ts';
import { changePassword } from '../../../functions/accounts/domain/change-password.ts';
import { type LoginPorts, logIn, refreshSession, startSession } from '../../../functions/accounts/domain/log-in.ts';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';
import { type RegisterPorts, register } from '../../../functions/accounts/domain/register.ts';
import { isSessionOf } from '../../../functions/accounts/domain/session.ts';

import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoApiKeys } from '../../../functions/adapters/accounts/dynamo-api-keys.ts';
import { DynamoPasswords } from '../../../functions/adapters/accounts/dynamo-passwords.ts';
import { DynamoSessions } from '../../../functions/adapters/accounts/dynamo-sessions.ts';
import { DynamoUsers } from '../../../functions/adapters/accounts/dynamo-users.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { noSecondFactor } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const password = 'correct horse battery';

function authPorts(clock: TestClock): RegisterPorts & LoginPorts {
  return {
    workspaces: new DynamoAccounts(dynamo.client, TABLES.accounts),
    users: new DynamoUsers(dynamo.client, TABLES.accounts),
    sessions: new DynamoSessions(dynamo.client, TABLES.accounts),
    signer: { sign: async ({ sessionId }) => `access ${sessionId}` },
    clock,
    ids: ulidIds,
    random: randomBytes,
    // The cheapest: the walk is over the calls around it.
    hasher: passwordHasher(randomBytes, 10),
    ...noSecondFactor,
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
    for (const at of sampledCalls(calls.length)) {
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
  it(`refresh, ${fault}, at every port call: a retry at once continues the session`, async () => {
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
    for (const at of sampledCalls(calls.length)) {
      const { tokens } = await run(fault, at);
      const second = await refreshSession(tokens.refreshToken, ports);
      const third = await refreshSession(second.refreshToken, ports);
      expect(third.accessToken, `${fault} ${calls[at]}`).toBe(tokens.accessToken);
    }
  });

const interleavable = (calls: readonly string[]) =>
  calls.flatMap((name, at) => (/^(users|passwords|sessions|hasher|signer)\./.test(name) ? [{ name, at }] : []));

/** Whether a request with tokens of this session would be let in. */
async function isAlive(sessionId: string): Promise<boolean> {
  const sessions = new DynamoSessions(dynamo.client, TABLES.accounts);
  const session = await sessions.find(sessionId);
  const live = session && (await sessions.findWithUser(sessionId, session.userId));
  return live !== null && isSessionOf(live.session, live.user);
}

it('a login with a password that is replaced at any moment of it leaves no session that is good', async () => {
  const run = async (at: number | null) => {
    const ports = { ...authPorts(testClock()), passwords: new DynamoPasswords(dynamo.client, TABLES.accounts) };
    const email = newEmail();
    const { workspace } = await register(account(email), ports);
    const { userId } = workspace.owner;
    const replace = () =>
      changePassword(userId, { current: password, next: 'another long password' }, SYSTEM_ORIGIN, ports);
    const { ports: watched, calls } = faultyPorts(ports, at === null ? null : replace, at ?? 0);
    const outcome = await logIn({ email, password, isBrowser: false }, watched).catch((error: unknown) => error);
    return { outcome, calls };
  };
  const { calls, outcome } = await run(null);
  expect(await isAlive(sessionOf(outcome))).toBe(true);
  const moments = interleavable(calls);
  expect(moments.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['users.findCredential', 'users.find', 'hasher.verify', 'sessions.create', 'signer.sign']),
  );
  for (const { name, at } of moments) {
    const { outcome } = await run(at);
    if (outcome instanceof AuthRefused) continue;
    expect(await isAlive(sessionOf(outcome)), `replaced before ${name}`).toBe(false);
  }
});

it('a change of the password that is itself replaced at any moment leaves no session that is good', async () => {
  const run = async (at: number | null) => {
    const ports = { ...authPorts(testClock()), passwords: new DynamoPasswords(dynamo.client, TABLES.accounts) };
    const email = newEmail();
    const { userId } = (await register(account(email), ports)).workspace.owner;
    // As the mailed link does: any password is replaced.
    const replace = async () => {
      const credential = (await ports.users.findCredential(email))!;
      const act = { workspaceId: credential.workspaceId, action: 'password.reset', target: userId } as const;
      const audit = auditEntry(act, SYSTEM_ORIGIN, ports);
      await ports.passwords.change(credential, await ports.hasher.hash('set by the owner'), { audit });
    };
    const { ports: watched, calls } = faultyPorts(ports, at === null ? null : replace, at ?? 0);
    const passwords = { current: password, next: 'of the intruder' };
    const outcome = await changePassword(userId, passwords, SYSTEM_ORIGIN, watched)
      .then((user) => startSession(user, false, watched))
      .catch((error: unknown) => error);
    return { outcome, calls };
  };
  const { calls, outcome } = await run(null);
  expect(await isAlive(sessionOf(outcome))).toBe(true);
  const moments = interleavable(calls);
  expect(moments.map(({ name }) => name)).toEqual(expect.arrayContaining(['passwords.change', 'sessions.create']));
  for (const { name, at } of moments) {
    const { outcome } = await run(at);
    if (outcome instanceof AuthRefused) continue;
    expect(await isAlive(sessionOf(outcome)), `replaced before ${name}`).toBe(false);
  }
});

function sessionOf(outcome: unknown): string {
  if (outcome instanceof Error) throw outcome;
  return (outcome as { tokens: { accessToken: string } }).tokens.accessToken.slice('access '.length);
}

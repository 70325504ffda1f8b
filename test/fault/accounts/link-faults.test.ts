import { randomBytes } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { AuthRefused } from '../../../functions/accounts/domain/auth-refused.ts';
import { changePassword, requestReset, resetPassword } from '../../../functions/accounts/domain/change-password.ts';
import { linkMail } from '../../../functions/accounts/domain/link-mails.ts';
import { logIn } from '../../../functions/accounts/domain/log-in.ts';
import { acceptInvitation, changeRole, invite, removeMember } from '../../../functions/accounts/domain/members.ts';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';
import { createWorkspace } from '../../../functions/accounts/domain/register.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoConfirmations } from '../../../functions/adapters/accounts/dynamo-confirmations.ts';
import { DynamoMembers } from '../../../functions/adapters/accounts/dynamo-members.ts';
import { DynamoOutbox } from '../../../functions/adapters/accounts/dynamo-outbox.ts';
import { DynamoPasswords } from '../../../functions/adapters/accounts/dynamo-passwords.ts';
import { DynamoSessions } from '../../../functions/adapters/accounts/dynamo-sessions.ts';
import { DynamoUsers } from '../../../functions/adapters/accounts/dynamo-users.ts';
import { DynamoTable } from '../../../functions/adapters/dynamodb/table.ts';
import { transactOrRetry } from '../../../functions/adapters/dynamodb/transactions.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { Contention } from '../../../functions/shared/contention.ts';
import { testClock } from '../../helpers/clock.ts';
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
const origin = () => SYSTEM_ORIGIN;
const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

function ports(client = dynamo.client) {
  const table = TABLES.accounts;
  const passwords = new DynamoPasswords(client, table);
  return {
    workspaces: new DynamoAccounts(client, table),
    users: new DynamoUsers(client, table),
    members: new DynamoMembers(client, table),
    sessions: new DynamoSessions(client, table),
    outbox: new DynamoOutbox(client, table),
    passwords,
    links: passwords,
    confirmations: new DynamoConfirmations(client, table),
    lockOutOthers: async () => undefined,
    signer: { sign: async ({ sessionId }: { sessionId: string }) => `access ${sessionId}` },
    // The cheapest: the walk is over the calls around it.
    hasher: passwordHasher(randomBytes, 10),
    clock: testClock(),
    ids: ulidIds,
    random: randomBytes,
    ...noSecondFactor,
    lifetimes: { accessSeconds: 1800, refreshSeconds: 7 * 24 * 60 * 60 },
  };
}
type Ports = ReturnType<typeof ports>;

const PASSWORD = 'correct horse battery';
const newWorkspace = async (all: Ports) => {
  const email = newEmail();
  const { workspace } = await createWorkspace({ email, password: PASSWORD, workspaceName: 'A' }, all);
  return { email, workspaceId: workspace.workspaceId, userId: workspace.owner.userId };
};
const logInWith = (email: string, password: string, all: Ports) =>
  logIn({ email, password, isBrowser: false }, all).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AuthRefused) return false;
      throw error;
    },
  );

/** The token of the mail that a notice leads to. */
async function mailedToken(notice: Parameters<typeof linkMail>[0], all: Ports): Promise<string> {
  const mail = await linkMail(notice, { ...all, workspaceName: async () => 'A', webUrl: null });
  return /"token": "([^"]+)"/.exec(mail?.text ?? '')![1]!;
}

/** Walks a step: meets the fault at each of its port calls in turn. */
async function walk<Subject>(
  fault: Fault,
  prepare: (all: Ports) => Promise<Subject>,
  step: (subject: Subject, faulty: Ports) => Promise<unknown>,
  check: (subject: Subject, all: Ports, where: string) => Promise<void>,
): Promise<void> {
  const run = async (meets: Fault | null, at: number) => {
    const all = ports();
    const subject = await prepare(all);
    const faulty = faultyPorts(all, meets, at);
    await step(subject, faulty.ports).catch(() => undefined);
    return { all, subject, calls: faulty.calls };
  };
  const { calls } = await run(null, 0);
  expect(calls.length).toBeGreaterThan(1);
  for (const at of sampledCalls(calls.length)) {
    const { all, subject } = await run(fault, at);
    await check(subject, all, `${fault} ${calls[at]}`);
  }
}

const invited = async (all: Ports) => {
  const owner = await newWorkspace(all);
  const email = newEmail();
  const invitation = await invite({ workspaceId: owner.workspaceId, email, role: 'owner' }, SYSTEM_ORIGIN, all);
  const { workspaceId, invitationId } = invitation;
  const notice = {
    kind: 'invitation' as const,
    noticeId: 'ntc_1',
    workspaceId,
    invitationId,
    createdAt: invitation.createdAt,
  };
  return { owner, email, invitation, token: await mailedToken(notice, all) };
};

for (const fault of FAULTS) {
  it(`invite, ${fault}, at every port call: the invitation waits with its mail, or neither is there`, () =>
    walk(
      fault,
      async (all) => ({ ...(await newWorkspace(all)), guest: newEmail(), before: await noticesOf() }),
      ({ workspaceId, guest }, faulty) => invite({ workspaceId, email: guest, role: 'viewer' }, SYSTEM_ORIGIN, faulty),
      async ({ workspaceId, before }, all, where) => {
        const waiting = await all.members.invitations(workspaceId);
        const notices = (await noticesOf()) - before;
        expect(waiting.length, where).toBe(notices);
        const audited = await auditedActions(workspaceId);
        expect(audited.filter((action) => action === 'member.invited').length, where).toBe(notices);
      },
    ));

  it(`accept an invitation, ${fault}, at every port call: one member or none, and sending again ends well`, () =>
    walk(
      fault,
      invited,
      ({ token }, faulty) => acceptInvitation({ token, password: PASSWORD }, origin, faulty),
      async ({ owner, email, token }, all, where) => {
        const isMember = await logInWith(email, PASSWORD, all);
        const again = await acceptInvitation({ token, password: PASSWORD }, origin, all).catch(
          (error: unknown) => error,
        );
        if (isMember) expect(again, where).toMatchObject({ refusal: 'invalid_link' });
        else expect(again, where).toMatchObject({ email, role: 'owner' });
        expect(await logInWith(email, PASSWORD, all), where).toBe(true);
        const members = await all.members.list(owner.workspaceId);
        expect(members.map((member) => member.email).toSorted(), where).toEqual([email, owner.email].toSorted());
        expect(await all.members.invitations(owner.workspaceId), where).toEqual([]);
        // Two owners are counted: the first may leave, the second then is the last.
        await removeMember(owner.workspaceId, owner.userId, SYSTEM_ORIGIN, all);
        const [last] = await all.members.list(owner.workspaceId);
        await expect(removeMember(owner.workspaceId, last!.userId, SYSTEM_ORIGIN, all), where).rejects.toMatchObject({
          refusal: 'last_owner',
        });
      },
    ));

  it(`reset a password, ${fault}, at every port call: one of the two works, and sending again ends well`, () =>
    walk(
      fault,
      async (all) => {
        const owner = await newWorkspace(all);
        await requestReset(owner.email, all);
        const createdAt = new Date(all.clock.now()).toISOString();
        const notice = {
          kind: 'password_reset' as const,
          noticeId: ulidIds.next('ntc'),
          email: owner.email,
          createdAt,
        };
        return { owner, token: await mailedToken(notice, all) };
      },
      ({ token }, faulty) => resetPassword({ token, password: 'a new password' }, origin, faulty),
      async ({ owner, token }, all, where) => {
        const [old, fresh] = [
          await logInWith(owner.email, PASSWORD, all),
          await logInWith(owner.email, 'a new password', all),
        ];
        expect(old !== fresh, where).toBe(true);
        const again = await resetPassword({ token, password: 'a new password' }, origin, all).catch(
          (error: unknown) => error,
        );
        if (fresh) expect(again, where).toMatchObject({ refusal: 'invalid_link' });
        else expect(again, where).toBeUndefined();
        expect(await logInWith(owner.email, 'a new password', all), where).toBe(true);
        expect(await logInWith(owner.email, PASSWORD, all), where).toBe(false);
      },
    ));

  it(`change a password, ${fault}, at every port call: one of the two works, and the sessions go with the old one`, () =>
    walk(
      fault,
      async (all) => {
        const owner = await newWorkspace(all);
        await logIn({ email: owner.email, password: PASSWORD, isBrowser: false }, all);
        return owner;
      },
      ({ userId }, faulty) =>
        changePassword(userId, { current: PASSWORD, next: 'a new password' }, SYSTEM_ORIGIN, faulty),
      async ({ email, userId }, all, where) => {
        const [old, fresh] = [await logInWith(email, PASSWORD, all), await logInWith(email, 'a new password', all)];
        expect(old !== fresh, where).toBe(true);
        expect((await all.users.find(userId))?.sessionEpoch, where).toBe(fresh ? 1 : 0);
      },
    ));
}

describe('a transaction that meets another one at the same items', () => {
  /** The first transaction of a port call meets `conflicts` of them, one after another. */
  async function colliding<T>(
    conflicts: number,
    act: (all: Ports, client: DynamoDBDocumentClient) => Promise<T>,
  ): Promise<T> {
    const client = dynamo.newClient();
    let left = conflicts;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (!commandName?.startsWith('TransactWrite') || left-- <= 0) return next(args);
          throw new TransactionCanceledException({
            message: 'Transaction cancelled',
            $metadata: {},
            CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
          });
        },
      { step: 'initialize' },
    );
    try {
      return await act(ports(client), client);
    } finally {
      expect(left).toBeLessThan(conflicts);
      client.destroy();
    }
  }

  it('is sent again: the guest joins', async () => {
    const { token, email } = await invited(ports());
    const user = await colliding(2, (all) => acceptInvitation({ token, password: PASSWORD }, origin, all));
    expect(user.email).toBe(email);
    expect(await logInWith(email, PASSWORD, ports())).toBe(true);
  });

  it('is sent again: the invitation is withdrawn, the role changed, the password too', async () => {
    const { owner, invitation, token } = await invited(ports());
    await colliding(2, (all) => removeMember(owner.workspaceId, invitation.invitationId, SYSTEM_ORIGIN, all));
    await expect(acceptInvitation({ token, password: PASSWORD }, origin, ports())).rejects.toMatchObject({
      refusal: 'invalid_link',
    });
    const guest = await invited(ports());
    const user = await acceptInvitation({ token: guest.token, password: PASSWORD }, origin, ports());
    expect(await colliding(2, (all) => changeRole(user, 'viewer', SYSTEM_ORIGIN, all))).toMatchObject({
      role: 'viewer',
    });
    const change = { current: PASSWORD, next: 'a new password' };
    await colliding(2, (all) => changePassword(user.userId, change, SYSTEM_ORIGIN, all));
    expect(await logInWith(guest.email, 'a new password', ports())).toBe(true);
  });

  it('is given up in the end, as contention and not as a condition that does not hold', async () => {
    const waits: number[] = [];
    const backoff = { wait: async (attempt: number) => void waits.push(attempt) };
    const item = { pk: newEmail(), sk: 'A' };
    const table = new DynamoTable(dynamo.client, TABLES.accounts);
    const refused = colliding(100, (_, client) => transactOrRetry(client, [['item', table.putPart(item)]], backoff));
    await expect(refused).rejects.toBeInstanceOf(Contention);
    expect(waits).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await table.get(item)).toBeNull();
  });
});

async function noticesOf(): Promise<number> {
  return (await dynamo.items('accounts', 'OUTBOX')).length;
}

async function auditedActions(workspaceId: string): Promise<string[]> {
  return (await dynamo.items('accounts', `WORKSPACE#${workspaceId}`)).flatMap(({ action }) =>
    typeof action === 'string' ? [action] : [],
  );
}

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '../../../functions/accounts/domain/api-key.ts';
import { auditEntry, SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { identityHash } from '../../../functions/accounts/domain/identity-provider.ts';
import { invite } from '../../../functions/accounts/domain/members.ts';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';
import { beginSignIn, completeSignIn, type SignInPorts } from '../../../functions/accounts/domain/sign-in.ts';
import { planWorkspace } from '../../../functions/accounts/domain/workspace.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoIdentityProviders } from '../../../functions/adapters/accounts/dynamo-identity-providers.ts';
import { DynamoMembers } from '../../../functions/adapters/accounts/dynamo-members.ts';
import { DynamoUsers } from '../../../functions/adapters/accounts/dynamo-users.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const ISSUER = 'https://login.example.com';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A workspace with a provider that knows one person, who has not signed in yet. */
async function openWorkspace() {
  const clock = testClock();
  const [workspaceId, apiKey] = [ulidIds.next('ws'), newApiKey(randomBytes).text];
  const domain = `${workspaceId.slice('ws_'.length)}.example`.toLowerCase();
  const email = `ann@${domain}`;
  const identity = { issuer: ISSUER, subject: 'ann', verifiedEmail: email };
  const ports = {
    providers: new DynamoIdentityProviders(dynamo.client, TABLES.accounts),
    users: new DynamoUsers(dynamo.client, TABLES.accounts),
    members: new DynamoMembers(dynamo.client, TABLES.accounts),
    openId: { check: async () => undefined, authorizationUrl: async () => ISSUER, identityOf: async () => identity },
    secrets: { open: async (sealed: string) => sealed },
    ...{ random: randomBytes, clock, ids: ulidIds },
  } satisfies SignInPorts;
  const owner = { workspaceId, name: 'A', email: `owner@${domain}`, password: 'correct horse battery', apiKey };
  const hasher = passwordHasher(randomBytes, 10);
  const workspace = await planWorkspace({ ...owner, openingBalanceKrw: 0 }, { clock, ids: ulidIds, hasher });
  await new DynamoAccounts(dynamo.client, TABLES.accounts).create(workspace);
  const audit = () => auditEntry({ workspaceId, action: 'sso.configured', target: null }, SYSTEM_ORIGIN, ports);
  const claimed = { domain, token: 'published' };
  const provider = {
    ...{ workspaceId, issuer: ISSUER, clientId: 'tripod', clientSecret: 'sealed', domains: [claimed] },
    ...{ defaultRole: 'viewer' as const, isRequired: false, version: 1 },
  };
  await ports.providers.save(provider, [], audit());
  await ports.providers.prove({ ...claimed, workspaceId, provedAt: 'now' }, null, provider, audit());

  const begin = () => beginSignIn({ email, redirectUri: 'https://tripod.example.com/sso' }, ports);
  const complete = ({ state, browserSecret }: Awaited<ReturnType<typeof begin>>, used: SignInPorts = ports) =>
    completeSignIn({ state, code: 'code' }, browserSecret, () => SYSTEM_ORIGIN, used);
  /** The member with the address, found by the list, by login and by identity: all three or none. */
  async function member() {
    const listed = (await ports.members.list(workspaceId)).filter((user) => user.email === email);
    const credential = await ports.users.findCredential(email);
    const link = await ports.providers.linkByIdentity(workspaceId, identityHash(identity));
    const ids = new Set([listed[0]?.userId, credential?.userId, link?.userId]);
    expect([listed.length <= 1, ids.size]).toEqual([true, 1]);
    return listed[0] ?? null;
  }
  return { workspaceId, email, ports, begin, complete, member };
}

type Workspace = Awaited<ReturnType<typeof openWorkspace>>;

/** Completes a sign-in with the fault at its first port call, at its second and so on, each in another workspace. */
async function walk(fault: Fault, prepare: (workspace: Workspace) => Promise<unknown>, role: string) {
  for (let at = 0; ; at++) {
    const workspace = await openWorkspace();
    await prepare(workspace);
    const begun = await workspace.begin();
    const { ports, calls } = faultyPorts(workspace.ports, fault, at);
    const first = await workspace.complete(begun, ports).catch(() => null);
    const made = await workspace.member();
    if (first !== null) expect(made).toEqual(first);
    // Regardless of the first attempt, the next one finds or makes the same member.
    const again = await workspace.complete(await workspace.begin());
    expect(await workspace.member()).toEqual(again);
    expect(again).toMatchObject({ role, ...(made && { userId: made.userId }) });
    expect(await workspace.ports.members.invitations(workspace.workspaceId)).toEqual([]);
    if (at >= calls.length) {
      expect(first).not.toBeNull();
      return;
    }
  }
}

describe.each(FAULTS)('%s at any call, a first sign-in', (fault) => {
  it('makes a whole member or none, and can be repeated', async () => {
    await walk(fault, async () => undefined, 'viewer');
  });

  it('uses up an invitation together with the new member', async () => {
    const prepare = ({ workspaceId, email, ports }: Workspace) =>
      invite({ workspaceId, email, role: 'admin' }, SYSTEM_ORIGIN, ports);
    await walk(fault, prepare, 'admin');
  });
});

import { describe, expect, it } from 'vitest';
import { type ApiAnswer, call } from '../../helpers/api.ts';
import { AUTH, bare, bearer, login, me, messageOf, refresh, tokensOf } from '../../helpers/auth.ts';
import { eventually } from '../../helpers/channels.ts';
import { accept, joinedMember, mailsTo, mailTo, newAddress, tokenOf } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();

const PASSWORD = 'another long password';
const byKey = ({ apiKey }: TestWorkspace, method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  call({ ...service, apiKey }, method, path, body === undefined ? {} : { body });
const dataOf = <T>(answer: ApiAnswer) => (answer.json as { data: T }).data;

describe('an invitation', () => {
  it('makes its address a member, once', async () => {
    const workspace = await createWorkspace();
    const { email, token, tokens } = await joinedMember(service, workspace, 'viewer');
    expect((await me(service, tokens.access_token)).json).toMatchObject({
      data: { user: { email, role: 'viewer' }, workspace: { id: workspace.workspaceId }, role: 'viewer' },
    });
    const again = await accept(service, token);
    expect(again.status).toBe(400);
    expect(messageOf(again)).toContain('used already');
    expect((await login(service, { email, password: PASSWORD })).status).toBe(200);
    const listed = dataOf<{ members: { email: string }[]; invitations: unknown[] }>(
      await byKey(workspace, 'GET', '/api/v1/members'),
    );
    expect(listed.members.map((member) => member.email).sort()).toEqual([email, workspace.email].sort());
    expect(listed.invitations).toEqual([]);
  });

  it('is accepted once by several at the same moment', async () => {
    const workspace = await createWorkspace();
    const email = newAddress();
    expect((await byKey(workspace, 'POST', '/api/v1/members', { email, role: 'viewer' })).status).toBe(201);
    const token = tokenOf(await mailTo(service, email));
    const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => accept(service, token, `${PASSWORD} ${i}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { members } = dataOf<{ members: unknown[] }>(await byKey(workspace, 'GET', '/api/v1/members'));
    expect(members).toHaveLength(2);
  });

  it('makes an address a member of one of two workspaces that invited it, also at the same moment', async () => {
    const email = newAddress();
    const workspaces = [await createWorkspace(), await createWorkspace()];
    const tokens: string[] = [];
    for (const workspace of workspaces) {
      expect((await byKey(workspace, 'POST', '/api/v1/members', { email, role: 'viewer' })).status).toBe(201);
      await eventually(() => mailsTo(service, email).length === tokens.length + 1);
      tokens.push(tokenOf(mailsTo(service, email)[0]!));
    }
    const answers = await Promise.all(tokens.map((token) => accept(service, token)));
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const memberships = await Promise.all(
      workspaces.map(async (workspace) => {
        const { members } = dataOf<{ members: { email: string }[] }>(await byKey(workspace, 'GET', '/api/v1/members'));
        return members.filter((member) => member.email === email).length;
      }),
    );
    expect(memberships.toSorted()).toEqual([0, 1]);
  });

  it('that was withdrawn leads nowhere', async () => {
    const workspace = await createWorkspace();
    const email = newAddress();
    const invited = await byKey(workspace, 'POST', '/api/v1/members', { email, role: 'admin' });
    const token = tokenOf(await mailTo(service, email));
    const path = `/api/v1/members/${dataOf<{ id: string }>(invited).id}`;
    expect((await byKey(await createWorkspace(), 'DELETE', path)).status).toBe(404);
    expect((await byKey(workspace, 'DELETE', path)).status).toBe(204);
    expect((await accept(service, token)).status).toBe(400);
    expect((await accept(service, 'A'.repeat(43))).status).toBe(400);
  });

  it('of an address that has an account is 409', async () => {
    const [workspace, other] = [await createWorkspace(), await createWorkspace()];
    const answer = await byKey(workspace, 'POST', '/api/v1/members', { email: other.email, role: 'admin' });
    expect(answer.status).toBe(409);
  });

  it('is the owner’s to make', async () => {
    const workspace = await createWorkspace();
    for (const role of ['viewer', 'admin'] as const) {
      const { tokens } = await joinedMember(service, workspace, role);
      const headers = bearer(tokens.access_token);
      const body = { email: newAddress(), role: 'owner' };
      expect((await bare(service, 'POST', '/api/v1/members', { headers, body })).status).toBe(403);
      expect((await bare(service, 'GET', '/api/v1/members', { headers })).status).toBe(200);
    }
  });
});

describe('a member', () => {
  it('who was removed is out at the next request, by token and by refresh', async () => {
    const workspace = await createWorkspace();
    const { id, email, tokens } = await joinedMember(service, workspace, 'admin');
    expect((await byKey(await createWorkspace(), 'DELETE', `/api/v1/members/${id}`)).status).toBe(404);
    expect((await byKey(workspace, 'DELETE', `/api/v1/members/${id}`)).status).toBe(204);
    expect((await me(service, tokens.access_token)).status).toBe(401);
    expect((await refresh(service, tokens.refresh_token)).status).toBe(401);
    expect((await login(service, { email, password: PASSWORD })).status).toBe(401);
    expect((await byKey(workspace, 'DELETE', `/api/v1/members/${id}`)).status).toBe(404);
  });

  it('with a new role has it at the next request', async () => {
    const workspace = await createWorkspace();
    const { id, tokens } = await joinedMember(service, workspace, 'viewer');
    const changed = await byKey(workspace, 'PATCH', `/api/v1/members/${id}`, { role: 'owner' });
    expect(changed).toMatchObject({ status: 200, json: { data: { id, role: 'owner' } } });
    expect((await me(service, tokens.access_token)).json).toMatchObject({ data: { role: 'owner' } });
  });

  it('who is the last owner stays, also when two owners demote or remove each other at once', async () => {
    const workspace = await createWorkspace();
    const tokens = tokensOf(await login(service, workspace));
    const { id: first } = dataOf<{ user: { id: string } }>(await me(service, tokens.access_token)).user;
    const path = (id: string) => `/api/v1/members/${id}`;
    for (const answer of [
      await byKey(workspace, 'DELETE', path(first)),
      await byKey(workspace, 'PATCH', path(first), { role: 'admin' }),
    ]) {
      expect(answer.status).toBe(409);
      expect(messageOf(answer)).toContain('last owner');
    }
    const { id: second } = await joinedMember(service, workspace, 'owner');
    const answers = await Promise.all([
      byKey(workspace, 'PATCH', path(first), { role: 'viewer' }),
      byKey(workspace, 'DELETE', path(second)),
    ]);
    expect([
      [200, 409],
      [409, 204],
    ]).toContainEqual(answers.map(({ status }) => status));
    const { members } = dataOf<{ members: { role: string }[] }>(await byKey(workspace, 'GET', '/api/v1/members'));
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });
});

describe('a password', () => {
  it('is changed by who knows it, and all other sessions end', async () => {
    const owner = await createWorkspace();
    const [here, there] = [tokensOf(await login(service, owner)), tokensOf(await login(service, owner))];
    const change = (current_password: string) =>
      bare(service, 'POST', `${AUTH}/password`, {
        headers: bearer(here.access_token),
        body: { current_password, new_password: PASSWORD },
      });
    expect((await change('not the password')).status).toBe(403);
    const changed = tokensOf(await change(owner.password));
    for (const { access_token, refresh_token } of [here, there]) {
      expect((await me(service, access_token)).status).toBe(401);
      expect((await refresh(service, refresh_token)).status).toBe(401);
    }
    expect((await me(service, changed.access_token)).status).toBe(200);
    expect((await login(service, owner)).status).toBe(401);
    expect((await login(service, { ...owner, password: PASSWORD })).status).toBe(200);
  });

  it('is reset by the newest mail, once, and an unknown address learns nothing', async () => {
    const owner = await createWorkspace();
    const tokens = tokensOf(await login(service, owner));
    const ask = (email: string) => bare(service, 'POST', `${AUTH}/password-reset`, { body: { email } });
    const [known, unknown] = [await ask(owner.email.toUpperCase()), await ask('unknown@example.com')];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(known.json).toEqual(unknown.json);
    const token = tokenOf(await mailTo(service, owner.email));
    const confirm = (text: string) =>
      bare(service, 'POST', `${AUTH}/password-reset/confirm`, { body: { token: text, new_password: PASSWORD } });
    expect((await accept(service, token)).status).toBe(400);
    expect((await confirm(token)).status).toBe(200);
    expect((await confirm(token)).status).toBe(400);
    expect((await me(service, tokens.access_token)).status).toBe(401);
    expect((await login(service, { ...owner, password: PASSWORD })).status).toBe(200);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerResult } from '../../../functions/accounts/auth-schemas.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { routes } from '../../../functions/routes.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call } from '../../helpers/api.ts';
import { AUTH, bare, bearer, login, me, messageOf, refresh, tokensOf } from '../../helpers/auth.ts';
import { createChannel } from '../../helpers/channels.ts';
import { createApplication, createToken } from '../../helpers/chat.ts';
import { accept, mailTo, newAddress, tokenOf } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

/** Attacks by a person who registers another person's address before that person does. */

const service = useService();
const ATTACKER = 'the password of an attacker';
const VICTIM = 'the password of the victim';

const register = async (email: string, password: string) => {
  const body = { email, password, workspace_name: 'Beforehand' };
  const answer = await bare(service, 'POST', `${AUTH}/register`, { body });
  expect(answer.status).toBe(201);
  return registerResult.strict().parse(answer.json).data;
};
const byKey = (apiKey: string, method: string, path: string, body?: unknown) =>
  call({ ...service, apiKey }, method, path, body === undefined ? {} : { body });
/** The last link that each address was mailed. */
const links = new Map<string, string>();
const linkOf = async (email: string) => {
  const earlier = links.get(email);
  let link = tokenOf(await mailTo(service, email));
  for (let i = 0; i < 600 && link === earlier; i++) {
    await sleep(100);
    link = tokenOf(await mailTo(service, email));
  }
  links.set(email, link);
  return link;
};
const reset = async (email: string, password: string) => {
  await bare(service, 'POST', `${AUTH}/password-reset`, { body: { email } });
  const token = await linkOf(email);
  return bare(service, 'POST', `${AUTH}/password-reset/confirm`, { body: { token, new_password: password } });
};
const accountsItems = async () => {
  const { ACCOUNTS_TABLE: TableName } = environment('ACCOUNTS_TABLE');
  return (await dynamoClient().send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
};
const dataOf = <T>({ json }: { readonly json: unknown }) => (json as { data: T }).data;

describe('where addresses are not confirmed, the first password reset', () => {
  it('a reset takes a workspace from the person who made it in another person’s name, with keys, members, tokens and channels', async () => {
    const email = newAddress();
    const made = await register(email, ATTACKER);
    const { key } = made.api_key;
    const second = dataOf<{ key: string }>(await byKey(key, 'POST', '/api/v1/api-keys', { name: 'hidden' })).key;
    const accomplice = newAddress();
    await byKey(key, 'POST', '/api/v1/members', { email: accomplice, role: 'owner' });
    const joined = tokensOf(await accept(service, tokenOf(await mailTo(service, accomplice))));
    const invited = newAddress();
    await byKey(key, 'POST', '/api/v1/members', { email: invited, role: 'owner' });
    const invitation = tokenOf(await mailTo(service, invited));
    const theirs = { ...service, apiKey: key, workspaceId: made.workspace.id };
    const { id: application } = await createApplication(theirs);
    const { token: publicToken } = await createToken(theirs, application);
    await createChannel(theirs, 'custom', service.baseUrl);

    expect((await reset(email, VICTIM)).status).toBe(200);

    for (const stolen of [key, second]) expect((await byKey(stolen, 'GET', '/api/v1/balance')).status).toBe(401);
    for (const tokens of [made, joined]) {
      expect((await me(service, tokens.access_token)).status).toBe(401);
      expect((await refresh(service, tokens.refresh_token)).status).toBe(401);
    }
    expect((await login(service, { email: accomplice, password: 'another long password' })).status).toBe(401);
    expect((await accept(service, invitation)).status).toBe(400);
    expect((await login(service, { email, password: ATTACKER })).status).toBe(401);
    const body = { messages: [{ role: 'user', content: 'hello' }] };
    const visited = await bare(service, 'POST', `/api/v1/chat/${publicToken}/chat/completions`, { body });
    expect(visited.status).toBe(401);

    const headers = bearer(tokensOf(await login(service, { email, password: VICTIM })).access_token);
    const members = await bare(service, 'GET', '/api/v1/members', { headers });
    expect(dataOf(members)).toMatchObject({ members: [{ email, role: 'owner' }], invitations: [] });
    for (const path of ['/api/v1/api-keys', '/api/v1/channels'])
      expect(JSON.stringify((await bare(service, 'GET', path, { headers })).json), path).not.toContain('"id"');
    const own = dataOf<{ key: string }>(
      await bare(service, 'POST', '/api/v1/api-keys', { headers, body: { name: 'mine' } }),
    ).key;
    expect((await reset(email, `${VICTIM} again`)).status).toBe(200);
    expect((await byKey(own, 'GET', '/api/v1/balance')).status).toBe(200);
  });

  it('leaves the keys of a confirmed account alone', async () => {
    const owner = await createWorkspace();
    expect((await reset(owner.email, VICTIM)).status).toBe(200);
    expect((await byKey(owner.apiKey, 'GET', '/api/v1/balance')).status).toBe(200);
  });
});

describe('where addresses are confirmed, an unconfirmed registration', () => {
  beforeEach(() => void vi.stubEnv('EMAIL_CONFIRMATION', '1'));
  afterEach(() => void vi.unstubAllEnvs());

  const confirm = (token: string, password: string) =>
    bare(service, 'POST', `${AUTH}/confirm-email`, { body: { token, password } });
  it('may look at its workspace, and runs and changes nothing, by key or by token', async () => {
    const made = await register(newAddress(), ATTACKER);
    expect((await byKey(made.api_key.key, 'GET', '/api/v1/balance')).status).toBe(200);
    expect((await me(service, made.access_token)).status).toBe(200);
    const open = ['accounts.request-confirmation', 'accounts.logout', 'accounts.end-session'];
    for (const { id, method, path, auth } of routes) {
      if (method === 'GET' || open.includes(id) || !auth.some((each) => each === 'jwt' || each === 'api-key')) continue;
      const headers: Record<string, string> = (auth as readonly string[]).includes('api-key')
        ? { 'x-api-key': made.api_key.key }
        : bearer(made.access_token);
      const answer = await bare(service, method, path.replaceAll(/\{\w+\+?\}/g, 'unknown-1'), { headers, raw: '{' });
      expect(answer.status, id).toBe(403);
      expect(JSON.stringify(answer.json), id).toContain('Confirm your e-mail address first');
    }
  });

  it('does not occupy the address, and a link that the victim follows does not confirm it', async () => {
    const email = newAddress();
    const attackers = await register(email, ATTACKER);
    const theirLink = await linkOf(email);
    expect((await login(service, { email, password: ATTACKER })).status).toBe(401);
    expect((await confirm(theirLink, VICTIM)).status).toBe(401);

    const mine = await register(email, VICTIM);
    expect((await confirm(await linkOf(email), VICTIM)).status).toBe(200);
    expect((await byKey(mine.api_key.key, 'POST', '/api/v1/api-keys', { name: 'second' })).status).toBe(201);
    tokensOf(await login(service, { email, password: VICTIM }));

    const late = await confirm(theirLink, ATTACKER);
    expect(late.status).toBe(409);
    expect((await byKey(attackers.api_key.key, 'POST', '/api/v1/api-keys', { name: 'x' })).status).toBe(403);
    const again = await bare(service, 'POST', `${AUTH}/register`, {
      body: { email, password: ATTACKER, workspace_name: 'Third' },
    });
    expect(again.status).toBe(409);
  });

  it('is confirmed once by the link and its password, by a mail that can be asked for again', async () => {
    const email = newAddress();
    const made = await register(email, VICTIM);
    const link = await linkOf(email);
    const ask = () => bare(service, 'POST', `${AUTH}/confirmation`, { headers: bearer(made.access_token) });
    expect((await ask()).status).toBe(202);
    const second = await linkOf(email);
    expect((await confirm(link, 'not the password')).status).toBe(401);
    const tokens = tokensOf(await confirm(second, VICTIM));
    expect((await me(service, tokens.access_token)).status).toBe(200);
    for (const used of [link, second]) {
      const again = await confirm(used, VICTIM);
      expect(again.status).toBe(400);
      expect(messageOf(again)).toContain('used already');
    }
    expect((await ask()).status).toBe(409);
    // Nothing can have been made before: a reset takes nothing away.
    expect((await reset(email, `${VICTIM} again`)).status).toBe(200);
    expect((await byKey(made.api_key.key, 'GET', '/api/v1/balance')).status).toBe(200);
  });

  it('is refused with 429 once the mails of a day are sent, until the next day', async () => {
    vi.stubEnv('REGISTRATIONS_IN_ALL', '1');
    const attempt = () =>
      bare(service, 'POST', `${AUTH}/register`, {
        body: { email: newAddress(), password: VICTIM, workspace_name: 'Flood' },
      });
    // Those of the tests before count as well.
    await attempt();
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it('expires with everything of it, and a confirmed one keeps all of it', async () => {
    const email = newAddress();
    const made = await register(email, VICTIM);
    const expiring = async () =>
      (await accountsItems()).filter(
        ({ pk, sk, expiresAt }) =>
          expiresAt !== undefined &&
          !/^(WORKSPACE#\w+#AUDIT|OUTBOX|SESSION#|SESSIONS_OF#|LINK#)/.test(String(pk)) &&
          JSON.stringify([pk, sk]).match(new RegExp(`${made.workspace.id}|${made.user.id}|${made.api_key.id}`)),
      ).length;
    expect(await expiring()).toBe(8);
    await confirm(await linkOf(email), VICTIM);
    expect(await expiring()).toBe(0);
  });
});

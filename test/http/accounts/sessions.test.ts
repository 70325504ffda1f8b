import { beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { sessionList } from '../../../functions/accounts/auth-schemas.ts';
import {
  AUTH,
  bare,
  bearer,
  browser,
  login,
  me,
  pageHeaders,
  refresh,
  type Tokens,
  tokensOf,
} from '../../helpers/auth.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let owner: TestWorkspace;
beforeEach(async () => {
  owner = await createWorkspace();
});

const PATH = `${AUTH}/sessions`;
type Shown = z.output<typeof sessionList>['data'][number];

async function sessionsOf({ access_token }: Tokens): Promise<readonly Shown[]> {
  const answer = await bare(service, 'GET', PATH, { headers: bearer(access_token) });
  expect(answer.status).toBe(200);
  return sessionList.strict().parse(answer.json).data;
}
const end = ({ access_token }: Tokens, id: string) =>
  bare(service, 'DELETE', `${PATH}/${id}`, { headers: bearer(access_token) });

describe('the sessions of a person', () => {
  it('are listed, newest first, with the client of each, and the one of the request', async () => {
    const program = tokensOf(await login(service, owner, { 'user-agent': 'a program/1.0' }));
    const page = await login(service, owner, browser(service));
    const [newest, oldest, ...others] = await sessionsOf(program);
    expect(others).toEqual([]);
    expect(newest).toMatchObject({ is_browser: true, is_current: false });
    expect(oldest).toMatchObject({
      ...{ is_browser: false, is_current: true },
      ...{ user_agent: 'a program/1.0', address: expect.stringContaining('127.0.0.1') },
    });
    const byCookie = await bare(service, 'GET', PATH, { headers: pageHeaders(page) });
    expect(sessionList.parse(byCookie.json).data[0]).toMatchObject({ id: newest!.id, is_current: true });
  });

  it('end one by one: tokens and cookie of the ended one are refused at once, the others continue', async () => {
    const stolen = await login(service, owner, browser(service));
    const mine = tokensOf(await login(service, owner));
    const { id } = (await sessionsOf(mine)).find(({ is_current }) => !is_current)!;
    expect((await end(mine, id)).status).toBe(204);
    expect((await me(service, tokensOf(stolen).access_token)).status).toBe(401);
    expect((await refresh(service, tokensOf(stolen).refresh_token)).status).toBe(401);
    expect((await bare(service, 'GET', PATH, { headers: pageHeaders(stolen) })).status).toBe(401);
    expect(await sessionsOf(mine)).toMatchObject([{ is_current: true }]);
    expect((await end(mine, id)).status).toBe(404);
  });

  it('stay listed when they are refreshed, and are gone after a logout and a new password', async () => {
    const first = tokensOf(await login(service, owner));
    const refreshed = tokensOf(await refresh(service, first.refresh_token));
    expect(await sessionsOf(refreshed)).toHaveLength(1);
    const second = tokensOf(await login(service, owner));
    await bare(service, 'POST', `${AUTH}/logout`, { headers: bearer(second.access_token) });
    expect(await sessionsOf(refreshed)).toHaveLength(1);
    const changed = tokensOf(
      await bare(service, 'POST', `${AUTH}/password`, {
        headers: bearer(refreshed.access_token),
        body: { current_password: owner.password, new_password: 'a quite new password' },
      }),
    );
    expect(await sessionsOf(changed)).toMatchObject([{ is_current: true }]);
  });

  it('are their own alone: another person’s session is unknown', async () => {
    const other = await createWorkspace();
    const theirs = tokensOf(await login(service, other));
    const [{ id }] = (await sessionsOf(theirs)) as [Shown];
    expect((await end(tokensOf(await login(service, owner)), id)).status).toBe(404);
    expect(await sessionsOf(theirs)).toHaveLength(1);
  });

  it('are for people: a program with an API key gets a 401', async () => {
    expect((await bare(service, 'GET', PATH, { headers: { 'x-api-key': owner.apiKey } })).status).toBe(401);
  });
});

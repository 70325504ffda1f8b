import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AUTH, bare, login, messageOf } from '../../helpers/auth.ts';
import { mailTo, tokenOf } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

/** Attacks by strangers who want to keep an owner out. */

const service = useService();

/** Posts from one of the addresses of this machine. */
async function post(from: string, path: string, body: object): Promise<number | undefined> {
  const { hostname, port } = new URL(service.baseUrl);
  const headers = { 'content-type': 'application/json' };
  const sent = request({ hostname, port, localAddress: from, method: 'POST', path, headers });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
const ask = (from: string, email: string) => post(from, `${AUTH}/password-reset`, { email });
const confirm = (token: string, new_password: string) =>
  bare(service, 'POST', `${AUTH}/password-reset/confirm`, { body: { token, new_password } });

describe('a stranger', () => {
  it('with ten wrong passwords does not lock the owner out, who has never been at this address', async ({ skip }) => {
    if (platform() !== 'linux') skip('only Linux answers on all of 127.0.0.0/8');
    const owner = await createWorkspace();
    const guesses = [];
    for (let i = 0; i < 12; i++)
      guesses.push(await post('127.0.7.1', `${AUTH}/login`, { email: owner.email, password: `wrong guess ${i}` }));
    expect(guesses.at(-1)).toBe(429);
    expect((await login(service, owner)).status).toBe(200);
  });

  it('who asks for resets again and again neither blocks those of the owner nor kills their link', async ({ skip }) => {
    if (platform() !== 'linux') skip('only Linux answers on all of 127.0.0.0/8');
    const owner = await createWorkspace();
    expect((await login(service, owner)).status).toBe(200);
    expect(await ask('127.0.0.1', owner.email)).toBe(202);
    const mine = tokenOf(await mailTo(service, owner.email));

    expect([await ask('127.0.8.1', owner.email), await ask('127.0.8.1', owner.email)]).toEqual([202, 202]);
    for (let i = 0; i < 20; i++) await ask(`127.0.9.${i + 1}`, owner.email);
    expect(await ask('127.0.9.30', owner.email)).toBe(429);
    // At an address where the owner has logged in before.
    expect(await ask('127.0.0.1', owner.email)).toBe(202);
    while (tokenOf(await mailTo(service, owner.email)) === mine) await sleep(100);

    const other = tokenOf(await mailTo(service, owner.email));
    expect((await confirm(mine, 'a new long password')).status).toBe(200);
    expect((await login(service, { ...owner, password: 'a new long password' })).status).toBe(200);
    for (const used of [mine, other]) {
      const again = await confirm(used, 'yet another password');
      expect(again.status).toBe(400);
      expect(messageOf(again)).toContain('used already');
    }
  });
});

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { registrationMails } from '../../../functions/wiring/accounts/auth.ts';
import { AUTH, bare, bearer, login, messageOf } from '../../helpers/auth.ts';
import { mailTo, newAddress, tokenOf } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

/** Attacks by strangers who want to keep an owner out. */

const service = useService();
afterEach(() => vi.unstubAllEnvs());

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

  it('who registers an address again and again does not keep its holder from registering', async ({ skip }) => {
    if (platform() !== 'linux') skip('only Linux answers on all of 127.0.0.0/8');
    vi.stubEnv('EMAIL_CONFIRMATION', '1');
    const email = newAddress();
    const registration = { email, password: 'a long password', workspace_name: 'Mine' };
    const attempts = [];
    for (let i = 0; i < 11; i++) attempts.push(await post('127.0.11.1', `${AUTH}/register`, registration));
    expect([attempts[0], attempts.at(-1)]).toEqual([201, 429]);
    expect(await post('127.0.11.2', `${AUTH}/register`, registration)).toBe(201);
    expect(await mailTo(service, email)).toContain('confirm-email');
  });

  it('who registers an address all day has it mailed fifty times, and its holder can still request the mail', async () => {
    vi.stubEnv('EMAIL_CONFIRMATION', '1');
    const email = newAddress();
    const mails = registrationMails();
    for (let i = 0; i < 50; i++) await mails.take(createHash('sha256').update(email).digest('hex'));
    const body = { email, password: 'a long password', workspace_name: 'Mine' };
    const registered = await bare(service, 'POST', `${AUTH}/register`, { body });
    expect(registered.status).toBe(201);
    const { access_token } = (registered.json as { data: { access_token: string } }).data;
    const asked = await bare(service, 'POST', `${AUTH}/confirmation`, { headers: bearer(access_token) });
    expect(asked.status).toBeLessThan(300);
    await mailTo(service, email);
    const folder = join(service.dataDir, 'mail');
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.filter((text) => text.includes(`To: ${email}`))).toHaveLength(1);
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

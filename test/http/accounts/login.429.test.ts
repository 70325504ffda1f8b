import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { platform } from 'node:os';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { AUTH } from '../../helpers/auth.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

// An address's limit per minute would apply before the limits of logins.
const service = useService();

/** Logs in from one of the addresses of this machine. */
async function guess(from: string, email: string, password: string) {
  const { hostname, port } = new URL(service.baseUrl);
  const headers = { 'content-type': 'application/json' };
  const sent = request({ hostname, port, localAddress: from, method: 'POST', path: `${AUTH}/login`, headers });
  sent.end(JSON.stringify({ email, password }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    headers: response.headers,
    body: (await json(response)) as { message: string },
  };
}
const countOf = (answers: readonly { status: number | undefined }[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

describe('guesses', () => {
  it('at one password from one address are ten at once, however the address is written', async ({ skip }) => {
    if (platform() !== 'linux') skip('only Linux answers on all of 127.0.0.0/8');
    const { email, password } = await createWorkspace();
    const forms = [email, email.toUpperCase(), ` ${email}`];
    const answers = [];
    for (let index = 0; index < 14; index++)
      answers.push(await guess('127.0.1.1', forms[index % 3]!, `guess ${index} is wrong`));
    // Another one comes back every half minute.
    expect(countOf(answers, 401)).toBeLessThanOrEqual(12);
    expect(countOf(answers, 429)).toBe(14 - countOf(answers, 401));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.message).toMatch(/^Rate limit exceeded\. Retry after \d+ seconds\.$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // The right password is refused too: what it is must not show.
    expect((await guess('127.0.1.1', email, password)).status).toBe(429);
    // Another one is not concerned.
    const other = await createWorkspace();
    expect((await guess('127.0.1.1', other.email, other.password)).status).toBe(200);
  });

  it('at one password from many addresses are fifty at once, and lock no owner out of an address of theirs', async ({
    skip,
  }) => {
    if (platform() !== 'linux') skip('only Linux answers on all of 127.0.0.0/8');
    const { email, password } = await createWorkspace();
    expect((await guess('127.0.4.1', email, password)).status).toBe(200);
    const answers = [];
    while (countOf(answers, 429) === 0 && answers.length < 100)
      answers.push(await guess(`127.0.5.${answers.length + 1}`, email, 'a wrong guess'));
    expect(answers.length).toBeGreaterThan(49);
    expect(countOf(answers, 429)).toBe(1);
    expect((await guess('127.0.6.1', email, password)).status).toBe(429);
    expect((await guess('127.0.4.1', email, password)).status).toBe(200);
  });

  it('at many passwords from one address are thirty at once, and leave other addresses alone', async ({ skip }) => {
    if (platform() !== 'linux') skip('only Linux answers on all of 127.0.0.0/8');
    const answers = [];
    while (countOf(answers, 429) === 0 && answers.length < 100)
      answers.push(await guess('127.0.3.1', `guest-${answers.length}@example.com`, 'spread over many'));
    // One comes back every two seconds, while they are asked.
    expect(answers.length).toBeGreaterThan(30);
    expect(countOf(answers, 429)).toBe(1);
    const owner = await createWorkspace();
    expect((await guess('127.0.3.2', owner.email, owner.password)).status).toBe(200);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Role } from '../../functions/shared/principal.ts';
import { type ApiAnswer, call } from './api.ts';
import { AUTH, bare, me, type Tokens, tokensOf } from './auth.ts';
import type { TestService } from './service.ts';

const MEMBER_PASSWORD = 'another long password';

let addresses = 0;
/** An address that no member has. */
export const newAddress = () => `member-${++addresses}@example.com`;

/** The text of the newest mail to an address, once it is there. */
export async function mailTo({ dataDir }: Pick<TestService, 'dataDir'>, address: string): Promise<string> {
  for (let i = 0; i < 600; i++) {
    const [mail] = mailsTo({ dataDir }, address);
    if (mail !== undefined) return mail;
    await sleep(100);
  }
  throw new Error(`No mail to ${address}.`);
}

/** The texts of the mails to an address that were delivered so far, newest first. */
export function mailsTo({ dataDir }: Pick<TestService, 'dataDir'>, address: string): string[] {
  const folder = join(dataDir, 'mail');
  // It is made with the first mail.
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((mail) => mail.includes(`To: ${address}`))
    .map((mail) => Buffer.from(mail.split('\r\n\r\n').slice(1).join(''), 'base64').toString());
}

/** The single-use token that a mail offers. */
export const tokenOf = (mail: string) => /#token=([\w-]{43})/.exec(mail)?.[1] ?? '';

export function accept(
  service: Pick<TestService, 'baseUrl'>,
  token: string,
  password = MEMBER_PASSWORD,
): Promise<ApiAnswer> {
  return bare(service, 'POST', `${AUTH}/accept-invitation`, { body: { token, password } });
}

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly tokens: Tokens;
  /** Of the invitation. */
  readonly token: string;
  readonly invitationId: string;
}

/** A member who has joined by an invitation. @param workspace its key invites. */
export async function joinedMember(
  service: TestService,
  { apiKey }: { readonly apiKey: string },
  role: Role,
): Promise<Member> {
  const email = newAddress();
  const invited = await call({ ...service, apiKey }, 'POST', '/api/v1/members', { body: { email, role } });
  expect(invited.status).toBe(201);
  const token = tokenOf(await mailTo(service, email));
  const tokens = tokensOf(await accept(service, token));
  const { user } = ((await me(service, tokens.access_token)).json as { data: { user: { id: string } } }).data;
  const invitationId = (invited.json as { data: { id: string } }).data.id;
  return { id: user.id, email, password: MEMBER_PASSWORD, tokens, token, invitationId };
}

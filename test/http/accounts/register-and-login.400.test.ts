import { describe, expect, it } from 'vitest';
import { AUTH, bare, login, messageOf } from '../../helpers/auth.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();

const account = { email: 'new@example.com', password: 'correct horse battery', workspace_name: 'A' };
const register = (body: unknown) => bare(service, 'POST', `${AUTH}/register`, { body });

describe('a registration', () => {
  it.each([
    [{ email: 'no-at' }, 'email'],
    [{ email: 'two@at@example.com' }, 'email'],
    [{ email: 'a b@example.com' }, 'email'],
    [{ email: 'a@example' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: all@example.com' }, 'email'],
    [{ email: `${'a'.repeat(65)}@example.com` }, 'email'],
    [{ email: `a@${'b.'.repeat(150)}com` }, 'email'],
    [{ email: 7 }, 'email'],
    [{ password: 'too short' }, 'password'],
    [{ password: '가'.repeat(9) }, 'password'],
    [{ password: 'x'.repeat(1025) }, 'password'],
    [{ password: '가'.repeat(342) }, 'password'],
    [{ password: 'x'.repeat(1_000_000) }, 'password'],
    [{ workspace_name: ' ' }, 'workspace_name'],
    [{ workspace_name: 'x'.repeat(81) }, 'workspace_name'],
    [{ workspace_name: 'two\nlines' }, 'workspace_name'],
    [{ role: 'owner' }, 'role'],
  ])('%#', async (change, field) => {
    const answer = await register({ ...account, email: 'bad@example.com', ...change });
    // A value of the right form that breaks a rule is 422.
    expect(answer.status).toBe('password' in change && typeof change.password === 'string' ? 422 : 400);
    expect(messageOf(answer)).toContain(`${field}: `);
  });
});

describe('a login', () => {
  it.each([
    [{ password: '' }, 'password'],
    [{ password: 'x'.repeat(1_000_000) }, 'password'],
    [{ password: ['x'] }, 'password'],
    [{ email: { $gt: '' } }, 'email'],
    [{ email: 'x'.repeat(1_000_000) }, 'email'],
  ])('%# refuses what can be neither', async (change, field) => {
    const answer = await login(service, { email: 'a@example.com', password: 'x', ...change });
    // A value of the right form that breaks a rule is 422.
    expect(answer.status).toBe('password' in change && typeof change.password === 'string' ? 422 : 400);
    expect(messageOf(answer)).toContain(`${field}: `);
  });
});

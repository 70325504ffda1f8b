import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';

const hasher = passwordHasher(randomBytes);

describe('a password hash', () => {
  it('knows its password, and no other', async () => {
    const stored = await hasher.hash('비밀번호 열두글자!');
    expect(stored).toMatch(/^\$scrypt\$ln=16,r=8,p=2\$/);
    expect(await hasher.verify(stored, '비밀번호 열두글자!')).toBe(true);
    expect(await hasher.verify(stored, '비밀번호 열두글자?')).toBe(false);
  });

  it('is another one each time', async () => {
    expect(await hasher.hash('same password')).not.toBe(await hasher.hash('same password'));
  });

  it('follows RFC 7914: the vector of its chapter 12', async () => {
    const salt = Buffer.from('SodiumChloride').toString('base64');
    const hash = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2';
    const stored = `$scrypt$ln=14,r=8,p=1$${salt}$${Buffer.from(hash, 'hex').toString('base64')}`;
    expect(await hasher.verify(stored, 'pleaseletmein')).toBe(true);
  });

  it('of an unknown format is an error, not a wrong password', async () => {
    await expect(hasher.verify('$argon2id$v=19$x$y', 'x')).rejects.toThrow('unknown format');
  });
});

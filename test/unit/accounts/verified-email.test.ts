import { describe, expect, it } from 'vitest';
import { AuthRefused } from '../../../functions/accounts/domain/auth-refused.ts';
import { domainOf, normalDomain } from '../../../functions/accounts/domain/identity-provider.ts';
import { OpenIdClient, verifiedEmailOf } from '../../../functions/adapters/accounts/openid-client.ts';

const GOOGLE = 'https://accounts.google.com';
const MICROSOFT = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
const email = 'ann@company.example';

describe('the verified address of an identity', () => {
  it.each([
    [
      'of any provider is what it says is verified',
      { iss: 'https://a.example', email: 'Ann@Company.Example', email_verified: true },
    ],
    [
      'of Google needs a managed account of the same domain',
      { iss: GOOGLE, email, email_verified: true, hd: 'Company.example' },
    ],
    ['of Microsoft needs a domain that the tenant owns', { iss: MICROSOFT, email, xms_edov: true }],
    ['of Microsoft may have that as a number', { iss: MICROSOFT, email, xms_edov: '1' }],
  ])('%s', (_, claims) => {
    expect(verifiedEmailOf(claims)).toBe(email);
  });

  it.each([
    ['a private Google account with an address that was theirs once', { iss: GOOGLE, email, email_verified: true }],
    ['a Google account of another company', { iss: GOOGLE, email, email_verified: true, hd: 'other.example' }],
    ['an address that anyone in a Microsoft tenant can enter', { iss: MICROSOFT, email }],
    ['a domain that a Microsoft tenant does not own', { iss: MICROSOFT, email, xms_edov: false }],
    ['a claim of Microsoft’s in a token of another provider', { iss: 'https://a.example', email, xms_edov: true }],
    [
      'a provider that is only called like Microsoft’s',
      { iss: 'https://login.microsoftonline.com.a.example/', email, xms_edov: true },
    ],
    ['a text instead of true', { iss: 'https://a.example', email, email_verified: 'true' }],
    ['no address', { iss: 'https://a.example', email_verified: true }],
  ])('does not exist for %s', (_, claims) => {
    expect(verifiedEmailOf(claims)).toBeNull();
  });
});

describe('a domain', () => {
  it('of an address is in its normal form, with any text before the last @', () => {
    expect([domainOf('ann@bücher.example'), domainOf('"a@b"@company.example')]).toEqual([
      'xn--bcher-kva.example',
      'company.example',
    ]);
    expect(normalDomain(' Company.EXAMPLE ')).toBe('company.example');
    expect(['', 'com', '1.2.3.4', '-a.example', '*.example', 'a..example'].map(normalDomain)).toEqual(
      Array(6).fill(null),
    );
  });
});

describe('a hosted service', () => {
  it.each([
    'http://127.0.0.1:3000',
    'https://127.0.0.1:3000',
    'https://localhost:3000',
    'http://169.254.169.254',
    'https://169.254.169.254',
    'https://10.0.0.1',
    'https://[fd00::1]',
    'http://example.com',
    'https://user:word@example.com',
  ])('does not ask a provider at %s', async (issuer) => {
    const refusal = await new OpenIdClient({ allowLoopback: false }).check(issuer).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AuthRefused);
    expect(refusal).toMatchObject({ refusal: 'sso_provider_unusable' });
    expect(String(refusal)).toMatch(/public internet|https:\/\/|user name|HTTPS|FORBIDDEN/);
  });
});

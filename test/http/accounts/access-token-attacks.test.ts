import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SigningKey, signingKeyOf } from '../../../functions/accounts/domain/signing-key.ts';
import { bare, login, me, tokensOf } from '../../helpers/auth.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let key: SigningKey;
let good: { readonly header: Record<string, unknown>; readonly payload: Record<string, unknown> };
let other: { readonly token: string; readonly sub: unknown; readonly sid: unknown; readonly wid: unknown };
beforeAll(async () => {
  const token = async () => tokensOf(await login(service, await createWorkspace())).access_token;
  const mine = await token();
  key = signingKeyOf(readFileSync(join(service.dataDir, 'signing-key'), 'utf8').trim());
  good = { header: part(mine, 0), payload: part(mine, 1) };
  const theirs = await token();
  const { sub, sid, wid } = part(theirs, 1);
  other = { token: theirs, sub, sid, wid };
});

const part = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const text = (header: object, payload: object) =>
  `${encode({ ...good.header, ...header })}.${encode({ ...good.payload, ...payload })}`;
/** A token with any content, signed with the service's own key. */
const signed = (header: object, payload: object, by = key.privateKey) => {
  const body = text(header, payload);
  return `${body}.${sign(null, Buffer.from(body), by).toString('base64url')}`;
};
const hmac = (header: object, secret: string | Buffer) => {
  const body = text({ alg: 'HS256', ...header }, {});
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
};
const statusOf = async (token: string) => (await me(service, token)).status;
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('an access token', () => {
  it('that is signed as the service does is taken', async () => {
    expect(await statusOf(signed({}, {}))).toBe(200);
  });

  const own = generateKeyPairSync('ed25519');
  const ownJwk = own.publicKey.export({ format: 'jwk' });
  const attacks: Readonly<Record<string, () => string>> = {
    'without a signature': () => `${text({ alg: 'none' }, {})}.`,
    'with alg none and a signature': () => signed({ alg: 'none' }, {}),
    'without alg': () => signed({ alg: undefined }, {}),
    'signed by HS256 with the public key as text': () => hmac({}, key.published.x),
    'signed by HS256 with the public key’s bytes': () => hmac({}, Buffer.from(key.published.x, 'base64url')),
    'signed by HS256 with the public key as JWK': () =>
      hmac({}, JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: key.published.x })),
    'signed by another key under our kid': () => signed({}, {}, own.privateKey),
    'signed by the key in its own header': () => signed({ jwk: ownJwk }, {}, own.privateKey),
    'with the address of a foreign key set': () =>
      signed({ jku: `${service.baseUrl}/evil.json`, kid: 'evil' }, {}, own.privateKey),
    'with an unknown kid': () => signed({ kid: 'unknown' }, {}),
    'with a kid that is a path': () => signed({ kid: '../../../etc/passwd' }, {}),
    'without a kid': () => signed({ kid: undefined }, {}),
    'with a critical header that is unknown here': () => signed({ crit: ['exp'] }, {}),
    'of another type': () => signed({ typ: 'JWT' }, {}),
    'for another audience': () => signed({}, { aud: 'another' }),
    'for no audience': () => signed({}, { aud: undefined }),
    'of another issuer': () => signed({}, { iss: 'tripod-prod' }),
    'that has expired': () => signed({}, { exp: nowSeconds() - 1 }),
    'that never expires': () => signed({}, { exp: undefined }),
    'that expires at a text': () => signed({}, { exp: 'tomorrow' }),
    'without a session': () => signed({}, { sid: undefined }),
    'of an unknown session': () => signed({}, { sid: 'unknown' }),
    'of another user in this session': () => signed({}, { sub: other.sub }),
    'of this user in another’s session': () => signed({}, { sid: other.sid }),
    'for another workspace': () => signed({}, { wid: other.wid }),
    'whose payload was changed': () => {
      const [header, , signature] = other.token.split('.');
      return [header, encode({ ...part(other.token, 1), wid: good.payload.wid }), signature].join('.');
    },
    'whose signature was cut': () => other.token.slice(0, -4),
    'in five parts': () => `${other.token}.a.b`,
    'that is very long': () => signed({}, { more: 'x'.repeat(3_000) }),
    'that is not a token': () => 'a.b.c',
  };
  it.each(Object.entries(attacks))('%s is refused', async (_, attack) => {
    expect(await statusOf(attack())).toBe(401);
  });

  it('with an invented kid makes no read for each try', async () => {
    await statusOf(signed({ kid: 'first' }, {}));
    const sent = await sentCommands(async () => {
      for (let i = 0; i < 5; i++) await statusOf(signed({ kid: `invented ${i}` }, {}));
    });
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('is not taken from the query, a cookie or the header of keys', async () => {
    const token = signed({}, {});
    const path = '/api/v1/auth/me';
    expect((await bare(service, 'GET', `${path}?access_token=${token}`)).status).toBe(401);
    expect((await bare(service, 'GET', path, { headers: { cookie: `tripod_session=${token}` } })).status).toBe(401);
    expect((await bare(service, 'GET', path, { headers: { 'x-api-key': token } })).status).toBe(401);
  });
});

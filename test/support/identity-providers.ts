import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { type MockInstance, vi } from 'vitest';

export const CLIENT = { client_id: 'tripod', client_secret: 'a secret of the client: ~+/' } as const;

/** A person of a provider, who logs in there by this name and any password. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface RunningProvider {
  readonly issuer: string;
  /** By the name that they log in with. */
  readonly people: Map<string, Person>;
  stop(): Promise<void>;
}

/** `oidc-provider`, a certified implementation of OpenID Connect, with its own login page. */
export async function startOidcProvider(redirectUris: readonly string[]): Promise<RunningProvider> {
  const people = new Map<string, Person>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const { server, origin } = await listening();
  const provider = new Provider(origin, {
    clients: [{ ...CLIENT, redirect_uris: [...redirectUris] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'signing', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_, accountId) => {
      const person = people.get(accountId);
      return person && { accountId: person.sub, claims: async () => ({ ...person }) };
    },
    // Administrators have consented for everyone.
    async loadExistingGrant({ oidc: { client, session, provider: issuing } }) {
      const grant = new issuing.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  server.on('request', provider.callback());
  return { issuer: origin, people, stop: () => close(server) };
}

/** The way through the provider's pages, as a browser goes it. @returns the address that it is sent back to. */
export async function passThrough(authorizationUrl: string, name: string, back: string): Promise<URL> {
  const jar = new Map<string, string>();
  let [url, form]: [string, URLSearchParams | null] = [authorizationUrl, null];
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(key!, value!);
    }
    const location = response.headers.get('location');
    form = null;
    if (location === null) {
      const text = await response.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
      if (action === undefined) throw new Error(`No form on the provider’s page: ${response.status} ${text}`);
      [url, form] = [action, new URLSearchParams({ prompt: 'login', login: name, password: 'any' })];
    } else if (location.startsWith(back)) return new URL(location);
    else url = new URL(location, url).href;
  }
  throw new Error('The provider leads round in circles.');
}

/** A played provider’s answer to a code. */
export interface Played {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly token?: (usual: Record<string, unknown>) => Promise<string> | string;
}

export interface PlayedProvider {
  readonly issuer: string;
  readonly requests: { readonly path: string; readonly form: URLSearchParams; readonly authorization: string }[];
  /** Codes and their answers. */
  readonly codes: Map<string, Played & { readonly nonce: string }>;
  /** Published keys; the first one signs. */
  keys: Awaited<ReturnType<typeof newKey>>[];
  metadata: Record<string, unknown>;
  status: number;
  stop(): Promise<void>;
}

/** A provider that answers anything, also what no honest one would. */
export async function startPlayedProvider(): Promise<PlayedProvider> {
  const { server, origin } = await listening();
  const played: PlayedProvider = {
    issuer: origin,
    requests: [],
    codes: new Map(),
    keys: [await newKey('first')],
    metadata: {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
    },
    status: 200,
    stop: () => close(server),
  };
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    played.requests.push({ path: request.url!, form, authorization: request.headers.authorization ?? '' });
    const [status, body] = await answer(played, request.url!, form);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return played;
}

export async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } };
}

async function answer(played: PlayedProvider, path: string, form: URLSearchParams): Promise<[number, object]> {
  if (played.status !== 200) return [played.status, { error: 'server_error' }];
  if (path === '/.well-known/openid-configuration') return [200, played.metadata];
  if (path === '/jwks') return [200, { keys: played.keys.map(({ jwk }) => jwk) }];
  const code = played.codes.get(form.get('code') ?? '');
  if (path !== '/token' || code === undefined) return [400, { error: 'invalid_grant' }];
  played.codes.delete(form.get('code')!);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const usual = {
    ...{ iss: played.issuer, aud: CLIENT.client_id, sub: 'person', nonce: code.nonce },
    ...{ iat: nowSeconds, exp: nowSeconds + 300, email_verified: true },
    ...code.claims,
  };
  const { kid, privateKey } = played.keys[0]!;
  const header = { alg: 'RS256', kid, ...code.header };
  const id_token =
    (await code.token?.(usual)) ?? (await new SignJWT(usual).setProtectedHeader(header).sign(privateKey));
  return [200, { access_token: 'an access token', token_type: 'bearer', expires_in: 300, id_token }];
}

/** TXT records, instead of those of the real name servers. */
export function playTextRecords(): { readonly records: Map<string, string[]>; readonly spy: MockInstance } {
  const records = new Map<string, string[]>();
  const { promises } = process.getBuiltinModule('node:dns');
  const spy = vi.spyOn(promises, 'resolveTxt').mockImplementation(async (name) => {
    const found = records.get(name);
    if (found === undefined) throw Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' });
    // A long record comes in pieces.
    return found.map((text) => [text.slice(0, 9), text.slice(9)]);
  });
  return { records, spy };
}

async function listening() {
  const server = http.createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function close(server: http.Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => server.close(() => closed()));
}

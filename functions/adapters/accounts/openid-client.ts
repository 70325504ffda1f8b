import { createHash } from 'node:crypto';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'openid-client';
import { AuthRefused } from '../../accounts/domain/auth-refused.ts';
import { emailAddressOf } from '../../accounts/domain/email-address.ts';
import type {
  AuthorizationResponse,
  Identity,
  IdentityProvider,
  OpenId,
  SignInFlow,
} from '../../accounts/domain/identity-provider.ts';
import { logger } from '../../shared/logging.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { readBody, SafeFetch } from '../web/safe-fetch.ts';

const FIELD = 'The identity provider';
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const CLOCK_TOLERANCE_SECONDS = 60;
const SCOPE = 'openid email';

interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly at_hash?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  /** Google: the domain of the Google Workspace that manages the account. */
  readonly hd?: unknown;
  /** Microsoft: the domain of the address is the tenant's. */
  readonly xms_edov?: unknown;
}

/**
 * OpenID Connect by the library `openid-client`, over guarded requests. What a provider publishes is read anew for each sign-in, so that
 * changed keys and addresses count at once.
 */
export class OpenIdClient implements OpenId {
  readonly #web: SafeFetch;
  readonly #allowLoopback: boolean;

  constructor({ allowLoopback }: { readonly allowLoopback: boolean }) {
    this.#web = new SafeFetch({ field: FIELD, allowLoopback });
    this.#allowLoopback = allowLoopback;
  }

  async check(issuer: string): Promise<void> {
    try {
      const metadata = (await this.#discover({ issuer, clientId: 'unused' }, None())).serverMetadata();
      const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
      if (!authorization_endpoint || !token_endpoint || !jwks_uri)
        throw new Error('An endpoint is missing in its metadata.');
      const endpoints = [issuer, authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint ?? issuer];
      if (!endpoints.every((endpoint) => this.#isSecure(new URL(endpoint))))
        throw Object.assign(new Error('An endpoint is not an https address.'), {
          code: 'an_endpoint_is_no_https_address',
        });
    } catch (error) {
      throw new AuthRefused(
        'sso_provider_unusable',
        `issuer: nothing usable is published at ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration (${reasonOf(error)}). It must name exactly this issuer.`,
      );
    }
  }

  async authorizationUrl(
    provider: IdentityProvider,
    { redirectUri, nonce, codeVerifier }: SignInFlow,
    { state, email }: { readonly state: string; readonly email: string },
  ): Promise<string> {
    const config = await this.#discover(provider, None()).catch((error: unknown) => {
      throw toRefusal(error, provider);
    });
    const url = buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: SCOPE, state, nonce, login_hint: email },
      ...{ code_challenge: await calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' },
    });
    // A page goes there: no script may.
    if (!this.#isSecure(url))
      throw toRefusal(new Error('The authorization endpoint is not an https address.'), provider);
    return url.href;
  }

  #isSecure({ protocol }: URL): boolean {
    return protocol === 'https:' || (this.#allowLoopback && protocol === 'http:');
  }

  async identityOf(
    provider: IdentityProvider & { readonly openedSecret: string },
    flow: SignInFlow,
    response: AuthorizationResponse,
  ): Promise<Identity> {
    try {
      const { config, tokens } = await this.#exchange(provider, flow, response);
      const claims = tokens.claims() as Claims;
      // Everyone without a subject would be one person.
      if (claims.sub === '') throw Object.assign(new Error('The subject is empty.'), { code: 'empty_sub' });
      requireTokenHash(tokens, claims.at_hash);
      // Some providers put the address into the token, some only say it when they are asked.
      const told = 'email' in claims ? claims : await this.#askFor(claims, config, tokens.access_token);
      return { issuer: claims.iss, subject: claims.sub, verifiedEmail: verifiedEmailOf({ ...told, iss: claims.iss }) };
    } catch (error) {
      throw toRefusal(error, provider);
    }
  }

  async #askFor(claims: Claims, config: Configuration, accessToken: string): Promise<Claims> {
    if (!config.serverMetadata().userinfo_endpoint) return claims;
    return { ...claims, ...(await fetchUserInfo(config, accessToken, claims.sub)), sub: claims.sub };
  }

  /** Clients are registered for one way to send their secret, which is not in the metadata: after a refusal it tries the other one. */
  async #exchange(
    provider: IdentityProvider & { readonly openedSecret: string },
    { redirectUri, nonce, codeVerifier }: SignInFlow,
    { state, ...rest }: AuthorizationResponse,
  ) {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ state, ...rest })) if (value) url.searchParams.set(name, value);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    const grant = async (authentication: ClientAuth) => {
      const config = await this.#discover(provider, authentication);
      return { config, tokens: await authorizationCodeGrant(config, url, { ...checks }) };
    };
    try {
      return await grant(ClientSecretPost(provider.openedSecret));
    } catch (error) {
      if (!(error instanceof ResponseBodyError) || error.error !== 'invalid_client') throw error;
      return grant(ClientSecretBasic(provider.openedSecret));
    }
  }

  #discover(
    { issuer, clientId }: Pick<IdentityProvider, 'issuer' | 'clientId'>,
    authentication: ClientAuth,
  ): Promise<Configuration> {
    return discovery(new URL(issuer), clientId, { [clockTolerance]: CLOCK_TOLERANCE_SECONDS }, authentication, {
      execute: [enableNonRepudiationChecks, ...(this.#allowLoopback ? [allowInsecureRequests] : [])],
      [customFetch]: (url, { method, headers, body }) => this.#fetch(url, method, headers, body),
    });
  }

  async #fetch(url: string, method: string, sent: Record<string, string>, body: unknown): Promise<Response> {
    const response = await this.#web.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: sent,
      ...(body ? { body: Buffer.from(String(body)) } : {}),
      timeoutMs: TIMEOUT_MS,
      followsRedirects: false,
    });
    const bytes = await readBody(response, MAX_BYTES, FIELD);
    // Without WWW-Authenticate the library reads the error from the body alone.
    const headers = { 'content-type': response.headers['content-type'] ?? '' };
    return new Response(bytes.length === 0 ? null : Buffer.from(bytes), { status: response.status, headers });
  }
}

const GOOGLE = 'https://accounts.google.com';
const MICROSOFT = /^https:\/\/login\.microsoftonline\.com\//;

/**
 * The address of a person, in its normal form; null where the provider does not vouch for it. Anyone can have a Google account with an address
 * that was theirs once: only `hd` says that the domain's Google Workspace manages it. Microsoft says "verified" as `xms_edov`.
 */
export function verifiedEmailOf({ iss, email, email_verified, hd, xms_edov }: Omit<Claims, 'sub'>): string | null {
  const address = emailAddressOf(email);
  if (address === null) return null;
  const isMicrosofts = MICROSOFT.test(iss) && [true, 1, '1', 'true'].includes(xms_edov as string);
  if (email_verified !== true && !isMicrosofts) return null;
  if (iss === GOOGLE && String(hd).toLowerCase() !== address.slice(address.lastIndexOf('@') + 1)) return null;
  return address;
}

/** The access token belongs to the ID token (OpenID Connect Core 3.1.3.8): the library leaves this check to its callers. */
function requireTokenHash({ access_token, id_token = '' }: TokenEndpointResponse, hash: unknown): void {
  if (hash === undefined) return;
  const { alg } = JSON.parse(Buffer.from(id_token.split('.')[0]!, 'base64url').toString()) as { alg: string };
  const bits = /^[RPE]S(256|384|512)$/.exec(alg)?.[1] ?? '512';
  const digest = createHash(`sha${bits}`).update(access_token).digest();
  if (digest.subarray(0, digest.length / 2).toString('base64url') !== hash)
    throw new Error('at_hash is not of this access token.');
}

/** @returns errors that are none of the protocol or the connection unchanged. */
function toRefusal(error: unknown, { workspaceId }: Pick<IdentityProvider, 'workspaceId'>): unknown {
  const reason = reasonOf(error);
  logger().warn('Sign-in failed at the identity provider', { workspaceId, reason });
  const subject = { workspaceId, userId: null };
  if (error instanceof AuthorizationResponseError)
    return new AuthRefused('sso_denied', `The identity provider refused the sign-in: ${reason}.`, subject);
  if (isOutage(error))
    return new AuthRefused(
      'sso_provider_unavailable',
      `The identity provider cannot be reached: ${reason}. Try again later; owners can log in by password.`,
      subject,
    );
  return new AuthRefused(
    'sso_token_refused',
    `The answer of the identity provider was refused: ${reason}. Sign in again; if it stays, an owner checks the settings.`,
    subject,
  );
}

function isOutage(error: unknown): boolean {
  const causes = causesOf(error);
  return causes.some(
    (cause) =>
      (cause instanceof FetchRefused && cause.reason !== 'invalid_request') ||
      (cause instanceof Response && cause.status >= 500) ||
      (cause instanceof ResponseBodyError && cause.status >= 500),
  );
}

/** Names the fault, without anything of a token or an address. */
function reasonOf(error: unknown): string {
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof FetchRefused);
  if (refused) return refused.message.replace(/\.$/, '');
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'an unknown error';
  const claim = causes.map((cause) => (cause as { readonly claim?: unknown } | null)?.claim).find(isText);
  const code = causes.map((cause) => (cause as { readonly code?: unknown } | null)?.code).find(isText);
  return [code, claim].filter(isText).join(' ') || 'the token is invalid';
}

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);

const MAX_CAUSES = 6;
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && causes.length < MAX_CAUSES; ) {
    causes.push(at);
    at = (at as { readonly cause?: unknown }).cause;
  }
  return causes;
}

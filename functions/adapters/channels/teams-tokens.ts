import { createHash } from 'node:crypto';
import { errors, importJWK, type JWK, jwtVerify } from 'jose';
import type { ChannelAccess, PlatformTokens, TokenVerifier } from '../../channels/domain/platforms/platform.ts';
import { answerJson } from '../../channels/domain/platforms/platform.ts';
import { channelBroken, refusedForGood, statusOutcome } from '../../channels/domain/platforms/send-outcome.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { isSameText } from '../../shared/webhooks/signatures.ts';
import { withoutTrailingSlashes } from '../../shared/without-trailing-slashes.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import type { SafeFetch } from '../web/safe-fetch.ts';
import { outcomeOfRefusal, TokenFailed } from './failures.ts';
import { makeCall } from './web-calls.ts';

const METADATA_BASE = 'https://login.botframework.com';
const TOKEN_BASE = 'https://login.microsoftonline.com';
const ISSUER = 'https://api.botframework.com';
const SCOPE = 'https://api.botframework.com/.default';
const TENANT = 'botframework.com';
const CLOCK_TOLERANCE_SECONDS = 5 * 60;
const TIMEOUT_MS = 5_000;
/** Microsoft asks to read the keys once a day; an unknown key is looked for sooner. */
const KEYS_KEPT_MS = 24 * 60 * 60_000;
/** Tokens with invented key ids must not make a request each. */
const MIN_RELOAD_MS = 60_000;
/** A token is renewed when it has no longer than this. */
const RENEWED_BEFORE_MS = 5 * 60_000;
const MAX_KEPT = 200;

export interface TeamsPorts {
  readonly web: SafeFetch;
  readonly clock: Clock;
}

interface PublishedKeys {
  readonly readAtMs: number;
  readonly keys: ReadonlyMap<string, EndorsedKey>;
}

type EndorsedKey = JWK & { readonly endorsements?: readonly string[] };

/** Tokens that the Bot Framework signs, by the keys that its OpenID metadata names. */
export class TeamsTokenVerifier implements TokenVerifier {
  readonly #ports: TeamsPorts;
  readonly #published = new Map<string, Promise<PublishedKeys>>();

  constructor(ports: TeamsPorts) {
    this.#ports = ports;
  }

  async isValid(token: string, { appId, serviceUrl, apiBaseUrl, channelId }: Parameters<TokenVerifier['isValid']>[1]) {
    const base = withoutTrailingSlashes(apiBaseUrl ?? METADATA_BASE);
    try {
      const keyOf = async ({ kid }: { kid?: string }) => importJWK(await this.#keyOf(base, kid, channelId), 'RS256');
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: ['RS256'],
        issuer: ISSUER,
        audience: appId,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'serviceurl'],
        currentDate: new Date(this.#ports.clock.now()),
      });
      const nowSeconds = this.#ports.clock.now() / 1000;
      if (payload.iat !== undefined && payload.iat > nowSeconds + CLOCK_TOLERANCE_SECONDS) return false;
      return typeof payload.serviceurl === 'string' && isSameText(payload.serviceurl, serviceUrl);
    } catch (error) {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    }
  }

  /** @throws errors.JWKSNoMatchingKey */
  async #keyOf(base: string, kid: string | undefined, channelId: string): Promise<JWK> {
    const nowMs = this.#ports.clock.now();
    const known = await this.#published.get(base);
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : nowMs - known.readAtMs;
    let key = ageMs > KEYS_KEPT_MS ? undefined : known?.keys.get(kid ?? '');
    if (key === undefined && ageMs > MIN_RELOAD_MS) key = (await this.#reload(base)).keys.get(kid ?? '');
    // A key says which channels its tokens may come from: Teams is one of them, and the activity must name it.
    const isEndorsed = key?.endorsements === undefined || key.endorsements.includes(channelId);
    if (key === undefined || !isEndorsed) throw new errors.JWKSNoMatchingKey();
    return key;
  }

  #reload(base: string): Promise<PublishedKeys> {
    const reading = this.#read(base);
    if (this.#published.size >= MAX_KEPT) this.#published.clear();
    this.#published.set(base, reading);
    reading.catch(() => {
      if (this.#published.get(base) === reading) this.#published.delete(base);
    });
    return reading;
  }

  async #read(base: string): Promise<PublishedKeys> {
    const metadata = await this.#get(`${base}/v1/.well-known/openidconfiguration`);
    const { keys = [] } = JSON.parse(await this.#get((JSON.parse(metadata) as { jwks_uri: string }).jwks_uri)) as {
      keys?: readonly EndorsedKey[];
    };
    const usable = keys.filter(({ endorsements }) => endorsements === undefined || endorsements.includes('msteams'));
    return { readAtMs: this.#ports.clock.now(), keys: new Map(usable.map((key) => [key.kid ?? '', key])) };
  }

  async #get(url: string): Promise<string> {
    const answer = await makeCall(this.#ports.web, { method: 'GET', url, headers: {} }, TIMEOUT_MS);
    if (answer.status !== 200) throw new Error(`The keys of the Bot Framework could not be read: ${answer.status}.`);
    return answer.text;
  }
}

interface IssuedToken {
  readonly token: string;
  readonly untilMs: number;
}

/** Tokens for replies, by the app's own credentials; kept until shortly before they expire. */
export class TeamsTokens implements PlatformTokens {
  readonly #ports: TeamsPorts;
  readonly #issued = new Map<string, IssuedToken>();

  constructor(ports: TeamsPorts) {
    this.#ports = ports;
  }

  forget(channelId: string, access: ChannelAccess): void {
    this.#issued.delete(nameOf(channelId, access));
  }

  async teams(channelId: string, access: ChannelAccess): Promise<string> {
    const name = nameOf(channelId, access);
    const known = this.#issued.get(name);
    if (known !== undefined && known.untilMs > this.#ports.clock.now()) return known.token;
    const issued = await this.#issue(access);
    if (this.#issued.size >= MAX_KEPT) this.#issued.clear();
    this.#issued.set(name, issued);
    return issued.token;
  }

  /** @throws TokenFailed */
  async #issue(access: ChannelAccess): Promise<IssuedToken> {
    const { app_id = '', tenant_id = TENANT, api_base_url = TOKEN_BASE } = access.settings;
    const form = {
      grant_type: 'client_credentials',
      client_id: app_id,
      client_secret: access.secret('app_password'),
      scope: SCOPE,
    };
    const call = {
      method: 'POST',
      url: `${withoutTrailingSlashes(api_base_url)}/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    } as const;
    const answer = await makeCall(this.#ports.web, call, TIMEOUT_MS).catch((error: unknown) => {
      throw error instanceof FetchRefused ? new TokenFailed(outcomeOfRefusal(error)) : error;
    });
    const outcome = statusOutcome(answer);
    if (outcome.kind !== 'delivered')
      throw new TokenFailed(
        outcome.kind === 'failed' && (!outcome.isPassing || outcome.isChannelBroken)
          ? channelBroken('invalid_client', answerJson(answer).text('error_description') || null)
          : outcome,
      );
    const body = answerJson(answer);
    const token = body.text('access_token');
    if (token === '') throw new TokenFailed(refusedForGood('no_token'));
    const untilMs = this.#ports.clock.now() + (body.number('expires_in') ?? 0) * 1000 - RENEWED_BEFORE_MS;
    return { token, untilMs };
  }
}

/** Other settings or another password make another token. */
function nameOf(channelId: string, access: ChannelAccess): string {
  const parts = JSON.stringify([channelId, access.settings, access.secret('app_password')]);
  return createHash('sha256').update(parts).digest('hex');
}

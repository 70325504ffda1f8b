import { errors, importJWK, jwtVerify } from 'jose';
import type { AccessClaims, AccessTokenVerifier } from '../../accounts/domain/access-token.ts';
import type { PublishedKeys } from '../../accounts/domain/signing-key.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ACCESS_TOKEN_TYPE, ALGORITHM, AUDIENCE } from './token-format.ts';

/** A key that was dropped is refused after this time at the latest. */
const KEYS_KEPT_MS = 5 * 60_000;
/** Tokens with invented key ids must not make a read each. */
const MIN_RELOAD_MS = 1_000;
/** Ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 2_000;

type VerificationKeys = ReadonlyMap<string, Awaited<ReturnType<typeof importJWK>>>;

export interface VerifierPorts {
  readonly keys: Pick<PublishedKeys, 'published'>;
  readonly clock: Clock;
  readonly issuer: string;
}

/** Keeps the published keys in memory: verifying a token takes no round trip but for the first, and one every five minutes. */
export class JoseVerifier implements AccessTokenVerifier {
  readonly #ports: VerifierPorts;
  #keys: Promise<VerificationKeys> | undefined;
  #readAtMs = 0;

  constructor(ports: VerifierPorts) {
    this.#ports = ports;
  }

  async verify(token: string): Promise<AccessClaims | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#keyOf(kid), {
        algorithms: [ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer: this.#ports.issuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'wid', 'iat', 'exp'],
        currentDate: new Date(this.#ports.clock.now()),
      });
      const { sub: userId, sid: sessionId, wid: workspaceId } = payload;
      if (typeof userId !== 'string' || typeof sessionId !== 'string' || typeof workspaceId !== 'string') return null;
      return { userId, sessionId, workspaceId };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** @throws errors.JWKSNoMatchingKey */
  async #keyOf(kid: string | undefined) {
    if (kid !== undefined) {
      const sinceMs = this.#ports.clock.now() - this.#readAtMs;
      const known = sinceMs > KEYS_KEPT_MS ? undefined : (await this.#keys)?.get(kid);
      const key = known ?? (sinceMs < MIN_RELOAD_MS ? undefined : (await this.#reload()).get(kid));
      if (key !== undefined) return key;
    }
    throw new errors.JWKSNoMatchingKey();
  }

  #reload(): Promise<VerificationKeys> {
    this.#readAtMs = this.#ports.clock.now();
    const reading = this.#read();
    this.#keys = reading;
    reading.catch(() => {
      if (this.#keys !== reading) return;
      this.#keys = undefined;
      this.#readAtMs = 0;
    });
    return reading;
  }

  async #read(): Promise<VerificationKeys> {
    const published = await this.#ports.keys.published();
    const entries = published.map(async ({ kid, x }) => {
      return [kid, await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, ALGORITHM)] as const;
    });
    return new Map(await Promise.all(entries));
  }
}

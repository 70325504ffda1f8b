import { SignJWT } from 'jose';
import type { AccessClaims, AccessTokenSigner } from '../../accounts/domain/access-token.ts';
import {
  ensurePublished,
  type PublishedKeys,
  type SigningKey,
  type SigningSecret,
  signingKeyOf,
} from '../../accounts/domain/signing-key.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ACCESS_TOKEN_TYPE, ALGORITHM, AUDIENCE } from './token-format.ts';

/** A rotation reaches every function that signs within this time; the former key stays valid for much longer. */
const KEY_KEPT_MS = 5 * 60_000;

export interface SignerPorts {
  readonly secret: Pick<SigningSecret, 'read'>;
  readonly keys: PublishedKeys;
  readonly clock: Clock;
  readonly issuer: string;
}

export class JoseSigner implements AccessTokenSigner {
  readonly #ports: SignerPorts;
  #key: Promise<SigningKey> | undefined;
  #readAtMs = 0;

  constructor(ports: SignerPorts) {
    this.#ports = ports;
  }

  async sign({ userId, workspaceId, sessionId }: AccessClaims, issuedAtMs: number, expiresAtMs: number) {
    const { privateKey, published } = await this.#currentKey();
    return new SignJWT({ sid: sessionId, wid: workspaceId })
      .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: published.kid })
      .setIssuer(this.#ports.issuer)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setIssuedAt(Math.floor(issuedAtMs / 1000))
      .setExpirationTime(Math.floor(expiresAtMs / 1000))
      .sign(privateKey);
  }

  #currentKey(): Promise<SigningKey> {
    const nowMs = this.#ports.clock.now();
    if (this.#key === undefined || nowMs - this.#readAtMs > KEY_KEPT_MS) {
      this.#readAtMs = nowMs;
      const reading = this.#readKey();
      this.#key = reading;
      reading.catch(() => {
        if (this.#key === reading) this.#key = undefined;
      });
    }
    return this.#key;
  }

  async #readKey(): Promise<SigningKey> {
    const key = signingKeyOf(await this.#ports.secret.read());
    await ensurePublished(key.published, this.#ports.keys);
    return key;
  }
}

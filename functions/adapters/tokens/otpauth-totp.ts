import { Secret, TOTP } from 'otpauth';
import type { Totp } from '../../accounts/domain/second-factor.ts';

/** RFC 6238 as every authenticator app takes it: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
/** Codes of the step before and of the next one are good, too: clocks of phones differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

export const otpauthTotp: Totp = {
  newSecret: (random) => new Secret({ buffer: Uint8Array.from(random(SECRET_BYTES)).buffer }).base32,
  uri: (secret, email, issuer) => totpOf(secret, email, issuer).toString(),
  stepOf(secret, code, nowMs) {
    const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
    return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
  },
};

function totpOf(secret: string, label = '', issuer = ''): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

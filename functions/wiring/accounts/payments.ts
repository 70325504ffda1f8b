import { BalanceRefused } from '../../accounts/domain/balance-refused.ts';
import { paymentAuthenticator } from '../../accounts/payment-authenticator.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { Problem } from '../../shared/http/problem.ts';
import { memoize } from '../../shared/memoize.ts';
import { http } from './accounts.ts';

/** A secret that was replaced is refused after this time at the latest. */
const SECRET_KEPT_MS = 5 * 60_000;

/** @throws BalanceRefused where payments are posted by the operator or the payment provider alone. */
export function requireOwnTopUps(): void {
  if (environment('TOP_UPS').TOP_UPS === 'self') return;
  throw new BalanceRefused(
    'operators_only',
    'Payments are posted by the operator of this service, or by its payment provider. Pay there: the balance follows.',
  );
}

/** For webhooks of the payment provider. */
export const paymentHttp = {
  ...http,
  authenticators: { signature: memoize(() => paymentAuthenticator(keptSecret(), systemClock)) },
};

function keptSecret(): () => Promise<string> {
  let kept: { readonly text: string; readonly untilMs: number } | null = null;
  return async () => {
    if (kept === null || kept.untilMs <= systemClock.now())
      kept = { text: await readPaymentSecret(), untilMs: systemClock.now() + SECRET_KEPT_MS };
    return kept.text;
  };
}

async function readPaymentSecret(): Promise<string> {
  const { PAYMENT_SECRET, PAYMENT_SECRET_TEXT } = environment('PAYMENT_SECRET', 'PAYMENT_SECRET_TEXT');
  if (PAYMENT_SECRET_TEXT !== undefined) return PAYMENT_SECRET_TEXT;
  if (PAYMENT_SECRET === undefined) throw new Problem(503, 'not_configured', 'No payment provider is set up.');
  const [{ SecretsManagerClient }, { readSecret }] = await Promise.all([
    import('@aws-sdk/client-secrets-manager'),
    import('../../adapters/shared/secret.ts'),
  ]);
  return readSecret(new SecretsManagerClient({}), PAYMENT_SECRET);
}

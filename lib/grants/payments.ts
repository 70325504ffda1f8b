import { allowUsed, type GrantMaker } from './grant.ts';

/** Posting payments: the setting that lets owners do it, and the secret that the payment provider signs with. */
export const grantPayments: GrantMaker = (entry, { data, config }) => {
  const { access } = entry;
  if (access.payments === undefined) return [];
  if (access.payments === 'self') return [{ environment: { TOP_UPS: config.topUps } }];
  const { secretArn } = data.paymentSecret;
  return [
    {
      statements: allowUsed(entry, 'secrets', ['secretsmanager:GetSecretValue'], [secretArn]),
      environment: { PAYMENT_SECRET: secretArn },
    },
  ];
};

import { allow, type GrantMaker } from './grant.ts';

/** Posting payments: the setting that lets owners do it, and the secret that the payment provider signs with. */
export const grantPayments: GrantMaker = ({ access }, { data, config }) => {
  if (access.payments === undefined) return [];
  if (access.payments === 'self') return [{ environment: { TOP_UPS: config.topUps } }];
  const { secretArn } = data.paymentSecret;
  return [
    {
      statements: [allow(['secretsmanager:GetSecretValue'], [secretArn])],
      environment: { PAYMENT_SECRET: secretArn },
    },
  ];
};
